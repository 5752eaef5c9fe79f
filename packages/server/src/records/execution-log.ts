import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage, unknownPageToken } from '../page.js';
import type { ExecutionPlace } from '../storage/executions-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { createWriteBehind, type WriteBehindParts, type WriteCounts } from './write-behind.js';

export interface ExecutionLogParts extends Omit<WriteBehindParts<ExecutionRow>, 'insert'> {
  readonly storage: Pick<Storage, 'executions'>;
}

export interface ExecutionFilter extends PageRequest {
  readonly connectionName?: string | undefined;
  readonly toolName?: string | undefined;
  readonly status?: number | undefined;
}

/** What ran, as its application sees it. */
export interface Execution {
  readonly id: string;
  readonly accountId: string;
  readonly connectionName: string;
  readonly kind: 'tool' | 'proxy';
  readonly toolName?: string;
  readonly method?: string;
  readonly status: number;
  readonly errorCode?: string;
  readonly upstreamStatus?: number;
  readonly durationMs: number;
  readonly startedAt: string;
  readonly requestId: string;
}

export interface ExecutionLog {
  /** Returns at once and never throws; what ran goes on without its row. */
  record(execution: ExecutionRow): void;
  /**
   * Newest first, what was recorded a moment ago included. A page of a filter may hold less than it could, or nothing, and
   * have a next one all the same: so many executions are looked through for each.
   */
  list(applicationId: string, filter: ExecutionFilter): Promise<Page<Execution>>;
  readonly counts: () => WriteCounts;
  /** Writes what is left. */
  close(): Promise<void>;
}

function toExecution({ applicationId: _, ...row }: ExecutionRow): Execution {
  const { toolName, method, errorCode, upstreamStatus, startedAt, ...rest } = row;
  return {
    ...rest,
    ...(toolName !== null && { toolName }),
    ...(method !== null && { method }),
    ...(errorCode !== null && { errorCode }),
    ...(upstreamStatus !== null && { upstreamStatus }),
    startedAt: new Date(startedAt).toISOString(),
  };
}

function readBefore(filter: ExecutionFilter): ExecutionPlace | undefined {
  const [startedAt, id] = readPageToken(filter, 2) ?? [];
  if (startedAt === undefined || id === undefined) return undefined;
  if (!/^\d{1,15}$/.test(startedAt)) throw unknownPageToken();
  return { startedAt: Number(startedAt), id };
}

const keysOf = ({ startedAt, id }: ExecutionPlace): string[] => [String(startedAt), id];

/** Records what ran in batches, so that a call does not wait for the disk. */
export function createExecutionLog({ storage, onError, onDropped }: ExecutionLogParts): ExecutionLog {
  const insert = (rows: readonly ExecutionRow[]) => storage.executions.insert(rows);
  const { add, flush, counts, close } = createWriteBehind<ExecutionRow>({ insert, onError, onDropped });
  return {
    record: add,
    counts,
    close,
    async list(applicationId, filter) {
      await flush();
      const { connectionName, toolName, status } = filter;
      const { rows, lookedTo } = await storage.executions.list(applicationId, {
        connectionName,
        toolName,
        status,
        before: readBefore(filter),
        limit: pageSizeOf(filter) + 1,
      });
      return toPage(rows, filter, {
        keys: keysOf,
        item: toExecution,
        more: lookedTo && keysOf(lookedTo),
      });
    },
  };
}
