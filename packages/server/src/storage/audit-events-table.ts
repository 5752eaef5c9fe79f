import type { Database } from './database.js';
import type { AuditEventRow } from './schema.js';

export interface AuditQuery {
  readonly applicationId?: string | undefined;
  readonly since?: number | undefined;
  /** Those after this one. */
  readonly after?: Pick<AuditEventRow, 'at' | 'id'> | undefined;
  readonly limit: number;
}

/** Rows are only ever added: the database itself refuses to change or delete one. */
export const auditEventsTable = (database: Database) => ({
  insert: async (events: readonly AuditEventRow[]): Promise<void> => {
    await database.insertInto('auditEvents').values(events).execute();
  },

  /** Oldest first. */
  list: ({ applicationId, since, after, limit }: AuditQuery): Promise<AuditEventRow[]> => {
    let select = database.selectFrom('auditEvents').selectAll();
    if (applicationId !== undefined) select = select.where('applicationId', '=', applicationId);
    if (since !== undefined) select = select.where('at', '>=', since);
    if (after) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), '>', tuple(after.at, after.id)),
      );
    }
    return select.orderBy('at').orderBy('id').limit(limit).execute();
  },
});
