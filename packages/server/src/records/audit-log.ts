import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import { readMomentIfAny } from '../read-moment.js';
import type { AuditEventRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';

/** What happened, who did it, from where, and how it ended. */
export interface RecordedEvent extends Omit<AuditEventRow, 'at'> {
  readonly at: string;
}

export interface AuditFilter {
  readonly applicationId?: string | undefined;
  /** A moment, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly since?: string | undefined;
}

export interface AuditLog {
  /** Newest first. */
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

const toQuery = ({ applicationId, since }: AuditFilter) => ({
  applicationId,
  since: readMomentIfAny(since),
});

export function createAuditLog({ storage }: { readonly storage: Pick<Storage, 'auditEvents'> }): AuditLog {
  async function* read(filter: AuditFilter): AsyncIterable<RecordedEvent> {
    let after: Pick<AuditEventRow, 'at' | 'id'> | undefined;
    do {
      const rows: AuditEventRow[] = await storage.auditEvents.list({
        ...toQuery(filter),
        after,
        limit: READ_AT_ONCE,
      });
      yield* rows.map(toEvent);
      after = rows.length < READ_AT_ONCE ? undefined : rows.at(-1);
    } while (after);
  }

  return {
    async list(filter) {
      const [at, id] = readPageToken(filter, 2) ?? [];
      const after = at === undefined || id === undefined ? undefined : { at: Number(at), id };
      const query = { ...toQuery(filter), after, newestFirst: true, limit: pageSizeOf(filter) + 1 };
      const rows = await storage.auditEvents.list(query);
      return toPage(rows, filter, { keys: (row) => [String(row.at), row.id], item: toEvent });
    },
    read,
  };
}
