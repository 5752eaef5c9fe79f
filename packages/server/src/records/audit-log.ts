import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { AuditPlace, AuditQuery } from '../storage/audit-events-table.js';
import type { AuditEventRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { readMomentIfAny } from '../text/read-moment.js';

/** What happened, who did it, from where, and how it ended. */
export interface RecordedEvent extends Omit<AuditEventRow, 'at'> {
  readonly at: string;
}

export interface AuditFilter {
  readonly applicationId?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  /** A moment, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface AuditLog {
  /**
   * Newest first. A page of one action or actor may hold less than it could, or nothing, and have a next one all the same: so
   * many events are looked through for each.
   */
  list(filter: AuditFilter & PageRequest): Promise<Page<RecordedEvent>>;
  /** All of them, oldest first, read as they are taken. */
  read(filter: AuditFilter): AsyncIterable<RecordedEvent>;
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

const keysOf = ({ at, id }: AuditPlace): string[] => [String(at), id];

export function createAuditLog({ storage }: { readonly storage: Pick<Storage, 'auditEvents'> }): AuditLog {
  async function find(query: AuditQuery) {
    const isFiltered = query.action !== undefined || query.actor !== undefined;
    const upTo = isFiltered ? await storage.auditEvents.findEnd(query) : undefined;
    const rows = await storage.auditEvents.list({ ...query, upTo });
    return { rows, lookedTo: rows.length < query.limit ? upTo : undefined };
  }

  async function* readAll(query: Omit<AuditQuery, 'limit'>): AsyncIterable<RecordedEvent> {
    let after: AuditPlace | undefined;
    do {
      const found = await find({ ...query, after, limit: READ_AT_ONCE });
      yield* found.rows.map(toEvent);
      after = found.rows.length < READ_AT_ONCE ? found.lookedTo : found.rows.at(-1);
    } while (after);
  }

  return {
    async list(filter) {
      const after = readCursor(filter);
      const { rows, lookedTo } = await find({
        ...toQuery(filter),
        after,
        newestFirst: true,
        limit: pageSizeOf(filter) + 1,
      });
      return toPage(rows, filter, { keys: keysOf, item: toEvent, more: lookedTo && keysOf(lookedTo) });
    },
    read: (filter) => readAll(toQuery(filter)),
  };
}
