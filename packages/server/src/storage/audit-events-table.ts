import type { Database } from './database.js';
import type { AuditEventRow } from './schema.js';

/** Where an event stands in the log. */
export type AuditPlace = Pick<AuditEventRow, 'at' | 'id'>;

export interface AuditQuery {
  readonly applicationId?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly since?: number | undefined;
  /** Those before this moment. */
  readonly until?: number | undefined;
  readonly newestFirst?: boolean | undefined;
  /** Those after this one, in the order that is asked for. */
  readonly after?: AuditPlace | undefined;
  /** Those up to this one, itself included. */
  readonly upTo?: AuditPlace | undefined;
  readonly limit: number;
}

/** Whoever looks for what is rare looks through so many in one call. */
export const EVENTS_LOOKED_THROUGH = 10_000;

/** Rows are only ever added: the database itself refuses to change or delete one. */
export const auditEventsTable = (database: Database) => {
  /** What an index leads to. */
  function ofTime({ applicationId, since, until, newestFirst = false, after }: AuditQuery) {
    const order = newestFirst ? 'desc' : 'asc';
    let select = database.selectFrom('auditEvents').orderBy('at', order).orderBy('id', order);
    if (applicationId !== undefined) select = select.where('applicationId', '=', applicationId);
    if (since !== undefined) select = select.where('at', '>=', since);
    if (until !== undefined) select = select.where('at', '<', until);
    if (after === undefined) return select;
    return select.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('at', 'id'), newestFirst ? '<' : '>', tuple(after.at, after.id)),
    );
  }

  return {
    insert: async (events: readonly AuditEventRow[]): Promise<void> => {
      await database.insertInto('auditEvents').values(events).execute();
    },

    /** Oldest first by default. */
    list: (query: AuditQuery): Promise<AuditEventRow[]> => {
      const { action, actor, newestFirst = false, upTo, limit } = query;
      let select = ofTime(query).selectAll().limit(limit);
      if (action !== undefined) select = select.where('action', '=', action);
      if (actor !== undefined) select = select.where('actor', '=', actor);
      if (upTo === undefined) return select.execute();
      return select
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('at', 'id'), newestFirst ? '>=' : '<=', tuple(upTo.at, upTo.id)),
        )
        .execute();
    },

    /** How far one call looks; `undefined` when that is to the end. */
    findEnd: (query: AuditQuery): Promise<AuditPlace | undefined> =>
      ofTime(query)
        .select(['at', 'id'])
        .offset(EVENTS_LOOKED_THROUGH - 1)
        .limit(1)
        .executeTakeFirst(),
  };
};
