import type { AuditEventRow, Database } from './schema.js';

/** Cursor: position of an event in the log. */
export type AuditCursor = Pick<AuditEventRow, 'at' | 'id'>;

export interface AuditQuery {
  readonly applicationId?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly since?: number | undefined;
  /** Only events before this time. */
  readonly until?: number | undefined;
  readonly newestFirst?: boolean | undefined;
  /** Only events after this one, in the requested order. */
  readonly after?: AuditCursor | undefined;
  /** Only events up to this one, inclusive. */
  readonly upTo?: AuditCursor | undefined;
  readonly limit: number;
}

/** Events that one call searches at most, however few of them match. */
export const MAX_SEARCHED_EVENTS = 10_000;

/** Rows are only added: the database itself refuses to change or delete one. */
export const auditEventsTable = (database: Database) => {
  /** Selects by conditions that an index serves. */
  function selectByTime({ applicationId, since, until, newestFirst = false, after }: AuditQuery) {
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
      let select = selectByTime(query).selectAll().limit(limit);
      if (action !== undefined) select = select.where('action', '=', action);
      if (actor !== undefined) select = select.where('actor', '=', actor);
      if (upTo === undefined) return select.execute();
      return select
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('at', 'id'), newestFirst ? '>=' : '<=', tuple(upTo.at, upTo.id)),
        )
        .execute();
    },

    /** Last event that one call searches; `undefined` when it searches to the end. */
    findEnd: (query: AuditQuery): Promise<AuditCursor | undefined> =>
      selectByTime(query)
        .select(['at', 'id'])
        .offset(MAX_SEARCHED_EVENTS - 1)
        .limit(1)
        .executeTakeFirst(),
  };
};
