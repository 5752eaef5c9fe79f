import type { AnyEventType } from '../names/event-types.js';
import type { Database } from './schema.js';

export interface LeaseExtension {
  readonly types: readonly AnyEventType[];
  readonly expiresAt: number;
  /**
   * Leases that expire at this time (milliseconds since 1970) or later stay unchanged, so that frequent calls write
   * nothing.
   */
  readonly unlessAfter: number;
}

export const eventLeasesTable = (database: Database) => ({
  /**
   * Creates or extends leases of event types, because a client of the application waits for events. Until a lease
   * expires, the service writes events of its type for the application. An application has at most one lease per type.
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
