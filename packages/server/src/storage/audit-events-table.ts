import type { RowCount } from '../page.js';
import { countRows } from './count-rows.js';
import { PREPARED } from './prepared-statement.js';
import type { AuditEventRow, Database } from './schema.js';

/** Time and id of an audit event, used as a pagination cursor. */
export type AuditCursor = Pick<AuditEventRow, 'at' | 'id'>;

/** Conditions by which audit events are selected, without a maximum number of rows. */
export interface AuditSelection {
  readonly applicationId?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly result?: AuditEventRow['result'] | undefined;
  /**
   * Id of the object that the selected events changed. An index finds these events, so that the query reads no others.
   */
  readonly object?: string | undefined;
  readonly since?: number | undefined;
  /** End of the time range in milliseconds since 1970: only events before this time are selected. */
  readonly until?: number | undefined;
  readonly newestFirst?: boolean | undefined;
  /** Pagination cursor: only audit events after this one are listed, in the requested order. */
  readonly after?: AuditCursor | undefined;
  /** Last audit event that the query may list, in the requested order. Events after it are omitted. */
  readonly upTo?: AuditCursor | undefined;
}

export interface AuditQuery extends AuditSelection {
  readonly limit: number;
}

/** Maximum number of audit events that one query reads, so that a filter with few matches cannot scan the whole log. */
export const MAX_SEARCHED_EVENTS = 10_000;

/**
 * Queries of the audit log, which only insert and read rows. Database triggers refuse to change any row and to delete a
 * recent one.
 */
export const auditEventsTable = (database: Database) => {
  /** Selects audit events by conditions that an index supports, so that the query stays fast if the log is large. */
  function selectByTime({ applicationId, object, since, until, newestFirst = false, after }: AuditSelection) {
    const order = newestFirst ? 'desc' : 'asc';
    let select = database.selectFrom('auditEvents').orderBy('at', order).orderBy('id', order);
    if (applicationId !== undefined) select = select.where('applicationId', '=', applicationId);
    if (object !== undefined) select = select.where('object', '=', object);
    if (since !== undefined) select = select.where('at', '>=', since);
    if (until !== undefined) select = select.where('at', '<', until);
    if (after === undefined) return select;
    return select.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('at', 'id'), newestFirst ? '<' : '>', tuple(after.at, after.id)),
    );
  }

  function selectMatching(query: AuditSelection) {
    const { action, actor, result, newestFirst = false, upTo } = query;
    let select = selectByTime(query);
    if (action !== undefined) select = select.where('action', '=', action);
    if (actor !== undefined) select = select.where('actor', '=', actor);
    if (result !== undefined) select = select.where('result', '=', result);
    if (upTo === undefined) return select;
    return select.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('at', 'id'), newestFirst ? '>=' : '<=', tuple(upTo.at, upTo.id)),
    );
  }

  return {
    insert: async (events: readonly AuditEventRow[]): Promise<void> => {
      const insert = database.insertInto('auditEvents').values(events);
      await (events.length === 1 ? insert.modifyEnd(PREPARED) : insert).execute();
    },

    /** Lists the audit events that match the query, oldest first by default. */
    list: (query: AuditQuery): Promise<AuditEventRow[]> =>
      selectMatching(query).selectAll().limit(query.limit).execute(),

    /** Lists the audit events of one request to the service, in any order. */
    listOfRequest: (requestId: string, limit: number): Promise<AuditEventRow[]> =>
      database
        .selectFrom('auditEvents')
        .selectAll()
        .where('requestId', '=', requestId)
        .limit(limit)
        .execute(),

    /** Counts the audit events that match the query. */
    countListed: (query: AuditSelection): Promise<RowCount> =>
      countRows(database, selectMatching(query).select('id'), query.upTo !== undefined),

    /**
     * Finds the audit event at which a filtered query must stop, because it may read only `MAX_SEARCHED_EVENTS` events.
     * Returns `undefined` if fewer events are left.
     */
    findEnd: (query: AuditSelection): Promise<AuditCursor | undefined> =>
      selectByTime(query)
        .select(['at', 'id'])
        .offset(MAX_SEARCHED_EVENTS - 1)
        .limit(1)
        .executeTakeFirst(),
  };
};
