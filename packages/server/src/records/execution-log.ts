import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { ExecutionPlace } from '../storage/executions-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { readMomentIfAny } from '../text/read-moment.js';
import { type Execution, type ToldExecution, tellExecution, toExecution } from './execution.js';
import { readStatistics, type Statistics, type StatisticsRequest } from './execution-statistics.js';
import { createWriteBehind, type WriteBehindParts, type WriteCounts } from './write-behind.js';
import { createWriteExecutions } from './write-executions.js';

export interface ExecutionLogParts extends Omit<WriteBehindParts<ExecutionRow>, 'insert'> {
  readonly storage: Pick<
    Storage,
    'accounts' | 'callApprovals' | 'executions' | 'executionStatistics' | 'transaction'
  >;
}

export interface ExecutionFilter extends PageRequest {
  readonly connectionName?: string | undefined;
  readonly toolName?: string | undefined;
  readonly status?: number | undefined;
  readonly accountId?: string | undefined;
  /** Whether its caller got something else than what it asked for. */
  readonly failed?: boolean | undefined;
  /** A moment, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface ExecutionLog {
  /** Returns at once and never throws; what ran goes on without its row. */
  record(execution: ExecutionRow): void;
  /**
   * Newest first, what was recorded a moment ago included. A page of a filter may hold less than it could, or nothing, and
   * have a next one all the same: so many executions are looked through for each.
   */
  list(applicationId: string, filter: ExecutionFilter): Promise<Page<Execution>>;
  /** One that was recorded a moment ago included. */
  get(applicationId: string, id: string): Promise<ToldExecution>;
  /** How many there were, how many failed and how long they took, over time. */
  statistics(applicationId: string, query: StatisticsRequest): Promise<Statistics>;
  readonly counts: () => WriteCounts;
  /** Writes what is left. */
  close(): Promise<void>;
}

// An id begins with the moment at which its execution began.
const ID = /^exec_([0-9a-f]{12})[0-9a-f]{20}$/;

const executionNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `There is no execution "${id}"; it may be so long ago that it is not kept any more.`,
  );

function readBefore(filter: ExecutionFilter): ExecutionPlace | undefined {
  const place = readCursor(filter);
  return place && { startedAt: place.at, id: place.id };
}

const keysOf = ({ startedAt, id }: ExecutionPlace): string[] => [String(startedAt), id];

/** Records what ran in batches, so that a call does not wait for the disk. */
export function createExecutionLog({ storage, onError, onDropped }: ExecutionLogParts): ExecutionLog {
  const insert = createWriteExecutions({ storage });
  const { add, flush, counts, close } = createWriteBehind<ExecutionRow>({ insert, onError, onDropped });
  return {
    record: add,
    counts,
    close,
    async list(applicationId, { pageSize, pageToken, since, until, ...filter }) {
      const page = { pageSize, pageToken };
      const before = readBefore(page);
      const times = { since: readMomentIfAny(since), until: readMomentIfAny(until) };
      await flush();
      const { rows, lookedTo } = await storage.executions.list(applicationId, {
        ...filter,
        ...times,
        before,
        limit: pageSizeOf(page) + 1,
      });
      return toPage(rows, page, {
        keys: keysOf,
        item: toExecution,
        more: lookedTo && keysOf(lookedTo),
      });
    },
    async get(applicationId, id) {
      const [, startedAt] = ID.exec(id) ?? [];
      if (startedAt === undefined) throw executionNotFound(id);
      await flush();
      const place = { id, startedAt: Number.parseInt(startedAt, 16) };
      const row = await storage.executions.find(applicationId, place);
      if (row === undefined) throw executionNotFound(id);
      const account = await storage.accounts.find(applicationId, row.accountId);
      const approvalId = await storage.callApprovals.findIdByExecution(applicationId, id);
      return tellExecution(row, { accountIdentifier: account?.identifier, approvalId });
    },
    async statistics(applicationId, query) {
      await flush();
      return readStatistics(storage, applicationId, query);
    },
  };
}
