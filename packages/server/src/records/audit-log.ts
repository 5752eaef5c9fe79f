import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { AuditCursor, AuditQuery } from '../storage/audit-events-table.js';
import type { AuditEventRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { readMomentIfAny } from '../text/read-moment.js';

export interface RecordedEvent extends Omit<AuditEventRow, 'at'> {
  readonly at: string;
}

export interface AuditFilter {
  readonly applicationId?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  /** Earliest time of an event, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const READ_AT_ONCE = 500;

const toEvent = ({ id, at, ...row }: AuditEventRow): RecordedEvent => ({
  id,
  at: new Date(at).toISOString(),
  ...row,
});

const toQuery = ({ applicationId, action, actor, since, until }: AuditFilter) => ({
  applicationId,
  action,
  actor,
  since: readMomentIfAny(since),
  until: readMomentIfAny(until),
});

const keysOf = ({ at, id }: AuditCursor): string[] => [String(at), id];

export function createAuditLog({ storage }: { readonly storage: Pick<Storage, 'auditEvents'> }) {
  async function find(query: AuditQuery) {
    const isFiltered = query.action !== undefined || query.actor !== undefined;
    const upTo = isFiltered ? await storage.auditEvents.findEnd(query) : undefined;
    const rows = await storage.auditEvents.list({ ...query, upTo });
    return { rows, searchedTo: rows.length < query.limit ? upTo : undefined };
  }

  /**
   * Lists audit events, newest first. One call searches a bounded number of events. A page that is filtered by action
   * or actor may therefore be short or empty although a next page exists.
   */
  async function list(filter: AuditFilter & PageRequest): Promise<Page<RecordedEvent>> {
    const after = readCursor(filter);
    const { rows, searchedTo } = await find({
      ...toQuery(filter),
      after,
      newestFirst: true,
      limit: pageSizeOf(filter) + 1,
    });
    return toPage(rows, filter, { keys: keysOf, item: toEvent, more: searchedTo && keysOf(searchedTo) });
  }

  /** Streams all audit events that match the filter, oldest first. */
  async function* read(filter: AuditFilter): AsyncIterable<RecordedEvent> {
    const query = toQuery(filter);
    let after: AuditCursor | undefined;
    do {
      const { rows, searchedTo } = await find({ ...query, after, limit: READ_AT_ONCE });
      yield* rows.map(toEvent);
      after = rows.length < READ_AT_ONCE ? searchedTo : rows.at(-1);
    } while (after);
  }

  return { list, read };
}

export type AuditLog = ReturnType<typeof createAuditLog>;
