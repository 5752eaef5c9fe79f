import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { ExecutionCursor } from '../storage/executions-table.js';
import type { AccountRow, ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { readMomentIfAny } from '../text/read-moment.js';
import {
  type ExecutionFacts,
  readStatistics,
  type Statistics,
  type StatisticsRequest,
} from './execution-statistics.js';
import { findExecutions } from './find-executions.js';
import { createWriteBehind, type WriteBehindOptions } from './write-behind.js';
import { createWriteExecutions } from './write-executions.js';

/** Execution of a tool call or proxied request, in the form of the list that the API returns to the application. */
export interface Execution {
  readonly id: string;
  readonly accountId: string;
  /** Identifier of the user who owns the connected account. Absent if the account has been deleted. */
  readonly accountIdentifier?: string;
  /** Label of the account. Absent without a label. */
  readonly accountLabel?: string;
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
  /** Id of the caller's trace. Absent if the call had no valid `traceparent`. */
  readonly traceId?: string;
  /** Version of the service that ran the execution. */
  readonly serviceVersion: string;
}

/** Execution with the details of its timeline, such as attempts and waiting times. */
export interface ExecutionDetails extends Execution {
  /** Id of the person's approval that permitted the call. Absent if the call needed no approval. */
  readonly approvalId?: string;
  /** Number of requests that the execution sent to the upstream, including retries. */
  readonly attempts?: number;
  /** True if the service refreshed the account's credential during the call. */
  readonly refreshed?: boolean;
  /** Total time in milliseconds that the execution waited for upstream responses. */
  readonly upstreamMs?: number;
  /** Time in milliseconds that the execution waited for a free slot of the upstream's concurrency limit. */
  readonly waitedMs?: number;
}

export interface ExecutionFilter extends ExecutionFacts, PageRequest {
  /** Order of the start times. Default: `newest` first. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** Earliest start of an execution, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface ExecutionLogOptions extends Omit<WriteBehindOptions<ExecutionRow>, 'insert'> {
  readonly storage: Pick<
    Storage,
    'accounts' | 'callApprovals' | 'executions' | 'executionStatistics' | 'transaction'
  >;
}

// Matches the id of an execution. Its first 12 hex digits are the start time in epoch milliseconds.
const ID = /^exec_([0-9a-f]{12})[0-9a-f]{20}$/;

const executionNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `There is no execution "${id}". Check the id; the service may have deleted it after its retention time.`,
  );

type User = Pick<AccountRow, 'identifier' | 'account'>;

function toExecution(row: ExecutionRow, user?: User): Execution {
  const { id, accountId, connectionName, kind, status, durationMs, requestId, serviceVersion } = row;
  const { toolName, method, errorCode, upstreamStatus, startedAt, traceId } = row;
  return {
    id,
    accountId,
    ...(user && { accountIdentifier: user.identifier }),
    ...(user?.account && { accountLabel: user.account }),
    connectionName,
    kind,
    ...(toolName !== null && { toolName }),
    ...(method !== null && { method }),
    status,
    ...(errorCode !== null && { errorCode }),
    ...(upstreamStatus !== null && { upstreamStatus }),
    durationMs,
    startedAt: new Date(startedAt).toISOString(),
    requestId,
    ...(traceId !== null && { traceId }),
    serviceVersion,
  };
}

interface RelatedObjects {
  readonly account: User | undefined;
  readonly approvalId: string | undefined;
}

function toDetails(row: ExecutionRow, { account, approvalId }: RelatedObjects): ExecutionDetails {
  const { attempts, refreshed, upstreamMs, waitedMs } = row;
  return {
    ...toExecution(row, account),
    ...(approvalId !== undefined && { approvalId }),
    ...(attempts !== null && { attempts }),
    ...(refreshed !== null && { refreshed: refreshed === 1 }),
    ...(upstreamMs !== null && { upstreamMs }),
    ...(waitedMs !== null && { waitedMs }),
  };
}

function readAfter(page: PageRequest): ExecutionCursor | undefined {
  const cursor = readCursor(page);
  return cursor && { startedAt: cursor.at, id: cursor.id };
}

const keysOf = ({ startedAt, id }: ExecutionCursor): string[] => [String(startedAt), id];

/**
 * Creates the log of executions. It writes rows to the database in batches in the background, so that no call waits for
 * the disk.
 */
export function createExecutionLog({ storage, onError, onDropped }: ExecutionLogOptions) {
  const insert = createWriteExecutions({ storage });
  const { add, flush, counts, close } = createWriteBehind<ExecutionRow>({ insert, onError, onDropped });

  async function usersOf(applicationId: string, rows: readonly ExecutionRow[]) {
    const ids = [...new Set(rows.map(({ accountId }) => accountId))];
    const users = ids.length === 0 ? [] : await storage.accounts.usersOf(applicationId, ids);
    return new Map(users.map((user) => [user.id, user]));
  }

  /**
   * Lists executions, including executions that ended a moment ago. One call searches a bounded number of executions. A
   * filtered page may therefore be short or empty although a next page exists.
   */
  async function list(
    applicationId: string,
    { pageSize, pageToken, since, until, order, ...facts }: ExecutionFilter,
  ): Promise<Page<Execution>> {
    const page = { pageSize, pageToken };
    const query = {
      ...facts,
      since: readMomentIfAny(since),
      until: readMomentIfAny(until),
      oldestFirst: order === 'oldest',
      after: readAfter(page),
      limit: pageSizeOf(page) + 1,
    };
    await flush();
    const { rows, searchedTo } = await findExecutions(storage, applicationId, query);
    const users = await usersOf(applicationId, rows);
    const item = (row: ExecutionRow) => toExecution(row, users.get(row.accountId));
    return toPage(rows, page, { keys: keysOf, item, more: searchedTo && keysOf(searchedTo) });
  }

  async function get(applicationId: string, id: string): Promise<ExecutionDetails> {
    const [, startedAt] = ID.exec(id) ?? [];
    if (startedAt === undefined) throw executionNotFound(id);
    await flush();
    const cursor = { id, startedAt: Number.parseInt(startedAt, 16) };
    const row = await storage.executions.find(applicationId, cursor);
    if (row === undefined) throw executionNotFound(id);
    const account = await storage.accounts.find(applicationId, row.accountId);
    const approvalId = await storage.callApprovals.findIdByExecution(applicationId, id);
    return toDetails(row, { account, approvalId });
  }

  /** Reads the numbers of calls and errors, and the call durations, over time. */
  async function statistics(applicationId: string, request: StatisticsRequest): Promise<Statistics> {
    await flush();
    return readStatistics(storage, applicationId, request);
  }

  return {
    /**
     * Adds an execution to the write buffer. Returns at once and never throws, because a call must not fail for lack of
     * its log row.
     */
    record: add,
    list,
    get,
    statistics,
    counts,
    /** Writes all buffered executions to the database now. Does nothing if none is buffered. */
    flush,
    /** Writes all buffered executions to the database, and drops those that cannot be written. */
    close,
  };
}

export type ExecutionLog = ReturnType<typeof createExecutionLog>;
