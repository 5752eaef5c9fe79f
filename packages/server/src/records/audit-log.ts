import {
  type Page,
  type PageRequest,
  pageSizeOf,
  type RowCount,
  readCursor,
  type TimeOrder,
  toPage,
} from '../page.js';
import type { AuditCursor, AuditQuery } from '../storage/audit-events-table.js';
import type { AuditEventRow } from '../storage/schema.js';
import { readMomentIfAny } from '../text/read-moment.js';
import { type AuditSearch, type AuditTables, countEvents, findEvents, usersOfEvents } from './find-events.js';

export interface RecordedEvent extends Omit<AuditEventRow, 'at'> {
  readonly at: string;
}

/** Audit event with the user of the object that it changed. */
export interface ListedEvent extends RecordedEvent {
  /**
   * Identifier of the user to whom the changed object belongs. Absent for objects without a user, and after the object
   * was deleted.
   */
  readonly identifier?: string;
}

export interface AuditFilter
  extends Pick<AuditQuery, 'applicationId' | 'action' | 'actor' | 'result' | 'object'> {
  /**
   * Identifier of the user whose accounts, grants, tokens and approvals the events changed. It needs `applicationId`.
   */
  readonly identifier?: string | undefined;
  readonly requestId?: string | undefined;
  /** Earliest time of an event, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface AuditListFilter extends AuditFilter, PageRequest {
  /** Order of the events by time. Default: `newest` first. */
  readonly order?: TimeOrder | undefined;
}

const READ_AT_ONCE = 500;

const toEvent = ({ id, at, ...row }: AuditEventRow): RecordedEvent => ({
  id,
  at: new Date(at).toISOString(),
  ...row,
});

const toQuery = ({ since, until, ...filter }: AuditFilter): AuditSearch => ({
  ...filter,
  since: readMomentIfAny(since),
  until: readMomentIfAny(until),
  limit: READ_AT_ONCE,
});

const keysOf = ({ at, id }: AuditCursor): string[] => [String(at), id];

export function createAuditLog({ storage }: { readonly storage: AuditTables }) {
  const find = (query: AuditSearch) => findEvents(storage, query);

  /**
   * Lists audit events. One call searches a bounded number of events. A page that is filtered by action or actor may
   * therefore be short or empty although a next page exists.
   */
  async function list({
    pageSize,
    pageToken,
    order,
    ...filter
  }: AuditListFilter): Promise<Page<ListedEvent>> {
    const page = { pageSize, pageToken };
    const { rows, searchedTo } = await find({
      ...toQuery(filter),
      after: readCursor(page),
      newestFirst: order !== 'oldest',
      limit: pageSizeOf(page) + 1,
    });
    const users = await usersOfEvents(storage, rows);
    const item = (row: AuditEventRow): ListedEvent => {
      const identifier = users.get(row.object);
      return { ...toEvent(row), ...(identifier !== undefined && { identifier }) };
    };
    return toPage(rows, page, { keys: keysOf, item, more: searchedTo && keysOf(searchedTo) });
  }

  /** Counts the audit events that match the filter. A filter for action, actor or result searches the newest events. */
  const count = (filter: AuditFilter): Promise<RowCount> =>
    countEvents(storage, { ...toQuery(filter), newestFirst: true });

  /** Streams all audit events that match the filter, oldest first. */
  async function* read(filter: AuditFilter): AsyncIterable<RecordedEvent> {
    const query = toQuery(filter);
    let after: AuditCursor | undefined;
    do {
      const { rows, searchedTo } = await find({ ...query, after });
      yield* rows.map(toEvent);
      after = rows.length < READ_AT_ONCE ? searchedTo : rows.at(-1);
    } while (after);
  }

  return { list, read, count };
}

export type AuditLog = ReturnType<typeof createAuditLog>;
