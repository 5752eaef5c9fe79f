import type { Database } from './database.js';
import type { AuditEventRow } from './schema.js';

export interface AuditQuery {
  readonly applicationId?: string | undefined;
  readonly since?: number | undefined;
  readonly newestFirst?: boolean | undefined;
  /** Those after this one, in the order that is asked for. */
  readonly after?: Pick<AuditEventRow, 'at' | 'id'> | undefined;
  readonly limit: number;
}

/** Rows are only ever added: the database itself refuses to change or delete one. */
export const auditEventsTable = (database: Database) => ({
  insert: async (events: readonly AuditEventRow[]): Promise<void> => {
    await database.insertInto('auditEvents').values(events).execute();
  },

  /** Oldest first by default. */
  list: ({
    applicationId,
    since,
    newestFirst = false,
    after,
    limit,
  }: AuditQuery): Promise<AuditEventRow[]> => {
    let select = database.selectFrom('auditEvents').selectAll();
    if (applicationId !== undefined) select = select.where('applicationId', '=', applicationId);
    if (since !== undefined) select = select.where('at', '>=', since);
    if (after) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), newestFirst ? '<' : '>', tuple(after.at, after.id)),
      );
    }
    const order = newestFirst ? 'desc' : 'asc';
    return select.orderBy('at', order).orderBy('id', order).limit(limit).execute();
  },
});
