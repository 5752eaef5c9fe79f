import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage, unknownPageToken } from './page.js';

export interface ExecutionLogParts {
  readonly storage: Pick<Storage, 'executions'>;
  /** Told when rows could not be written; what ran goes on without them. */
  readonly onError: (error: unknown) => void;
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
  /** Returns at once and never throws; the row is written within 100 ms. */
  record(execution: ExecutionRow): void;
  /** Newest first, what was recorded a moment ago included. */
  list(applicationId: string, filter: ExecutionFilter): Promise<Page<Execution>>;
  /** Writes what is left. */
  close(): Promise<void>;
}

const FLUSH_MS = 100;
const FLUSH_ROWS = 200;

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

function readBefore(filter: ExecutionFilter): { startedAt: number; id: string } | undefined {
  const [startedAt, id] = readPageToken(filter, 2) ?? [];
  if (startedAt === undefined || id === undefined) return undefined;
  if (!/^\d{1,15}$/.test(startedAt)) throw unknownPageToken();
  return { startedAt: Number(startedAt), id };
}

/** Records what ran in batches, so that a call does not wait for the disk. */
export function createExecutionLog({ storage, onError }: ExecutionLogParts): ExecutionLog {
  let waiting: ExecutionRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    if (rows.length > 0) writing = writing.then(() => storage.executions.insert(rows)).catch(onError);
    return writing;
  }

  return {
    record(execution) {
      waiting.push(execution);
      if (waiting.length >= FLUSH_ROWS) void flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },

    async list(applicationId, filter) {
      await flush();
      const { connectionName, toolName, status } = filter;
      const rows = await storage.executions.list(applicationId, {
        connectionName,
        toolName,
        status,
        before: readBefore(filter),
        limit: pageSizeOf(filter) + 1,
      });
      return toPage(rows, filter, {
        keys: ({ startedAt, id }) => [String(startedAt), id],
        item: toExecution,
      });
    },

    close: flush,
  };
}
