import type { AnyEventType } from '../names/event-types.js';
import type { Database } from './schema.js';

export interface LeaseExtension {
  readonly types: readonly AnyEventType[];
  readonly expiresAt: number;
  /** Leases of event types that expire at this time or later stay unchanged, so that frequent calls write nothing. */
  readonly unlessAfter: number;
}

export const eventLeasesTable = (database: Database) => ({
  /**
   * Creates or extends leases of event types, because a client of the application waits for events. The service writes
   * events of a type for the application until the lease of the type expires. An application has at most one lease for
   * each type.
   */
  extend: async (applicationId: string, { types, expiresAt, unlessAfter }: LeaseExtension): Promise<void> => {
    // Sorts the rows, so that concurrent statements lock them in the same order.
    const rows = [...types].sort().map((type) => ({ applicationId, type, expiresAt }));
    await database
      .insertInto('eventLeases')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['applicationId', 'type'])
          .doUpdateSet({ expiresAt })
          .where('eventLeases.expiresAt', '<', unlessAfter),
      )
      .execute();
  },
});
