import { ServiceError } from '../errors.js';
import {
  type Page,
  type PageRequest,
  pageSizeOf,
  type RowCount,
  readCursor,
  type TimeOrder,
  toPage,
} from '../page.js';
import type { ExecutionCursor } from '../storage/executions-table.js';
import type { AccountRow, ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { type ConnectedAs, connectedAsIn } from '../text/connected-as.js';
import { readMomentIfAny } from '../text/read-moment.js';
import { createCountRefusals, isRefusal, type WrittenExecution } from './count-refusals.js';
import { readStatistics, type Statistics, type StatisticsRequest } from './execution-statistics.js';
import { countExecutions, type ExecutionFacts, findExecutions } from './find-executions.js';
import { createWriteBehind, type WriteBehindOptions } from './write-behind.js';
import { createWriteExecutions, type FailureReporter } from './write-executions.js';

/** Execution of a tool call or proxied request, as the API lists it. */
export interface Execution {
  readonly id: string;
  /** Id of the account. Absent if the call ended before the service had found an account. */
  readonly accountId?: string;
  /**
   * Identifier of the user who owns the connected account, or that the call named. Absent if the account has been
   * deleted.
   */
  readonly accountIdentifier?: string;
  /** Label of the account. Absent without a label. */
  readonly accountLabel?: string;
  /** Name of the connection, as the call named it. Absent if the call named none. */
  readonly connectionName?: string;
  readonly kind: 'tool' | 'proxy';
  readonly toolName?: string;
  readonly method?: string;
  /** Upstream path of a proxied request, without the query. Each id in the path is replaced by `{id}`. */
  readonly path?: string;
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
  /**
   * Number of equal refused calls within one minute that this execution counts. Its other fields describe the first of
   * these calls.
   */
  readonly count: number;
}

/** Cause of a failed execution. It contains no inputs and no secrets. */
export interface ExecutionCause {
  /** Reason of the error in one word, such as `circuit_breaker`, or the rate limit that refused the call. */
  readonly reason?: string;
  /** Fields of the input that broke a rule, without their values. */
  readonly fields?: readonly { readonly field: string; readonly rule: string }[];
  /** Machine-readable error code of the upstream. */
  readonly upstreamCode?: string;
  /** Message of the upstream without secrets and user data, at most 300 characters. */
  readonly upstreamMessage?: string;
  /**
   * True if the execution counts different refused calls together, because a minute had too many different ones for a
   * row each.
   */
  readonly isRest?: boolean;
}

/** One request to the upstream. */
export interface ExecutionRequest {
  /** Milliseconds until the response began or the request failed. */
  readonly ms: number;
  /** Milliseconds that the service paused before a repeated request. */
  readonly pauseMs: number;
  readonly status?: number;
  /** Reason why the request got no response, such as `timeout`. */
  readonly failure?: string;
}

/** Execution with the details of its timeline, such as attempts and waiting times. */
export interface ExecutionDetails extends Execution {
  /** Id of the person's approval that the call needed. Absent if the call needed no approval. */
  readonly approvalId?: string;
  /** Number of requests that the execution sent to the upstream, including retries. */
  readonly attempts?: number;
  /** True if the service refreshed the account's credential during the call. */
  readonly refreshed?: boolean;
  /** Total time in milliseconds that the execution waited for upstream responses. */
  readonly upstreamMs?: number;
  /** Time in milliseconds that the execution waited for a free slot of the upstream's concurrency limit. */
  readonly waitedMs?: number;
  /** Time in milliseconds that the execution paused before it repeated requests. */
  readonly pausedMs?: number;
  /** User at the upstream whose account ran the call. Absent if the upstream does not report who it is. */
  readonly connectedAs?: ConnectedAs;
  readonly cause?: ExecutionCause;
  /** First ten requests to the upstream. */
  readonly requests?: readonly ExecutionRequest[];
}

export interface ExecutionFilter extends ExecutionFacts, PageRequest {
  /** Order of the start times. Default: `newest` first. */
  readonly order?: TimeOrder | undefined;
  /** Earliest start of an execution, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface ExecutionLogOptions extends Omit<WriteBehindOptions<WrittenExecution>, 'insert'> {
  readonly storage: Pick<
    Storage,
    'accounts' | 'callApprovals' | 'executions' | 'executionStatistics' | 'transaction'
  >;
  readonly reporter?: FailureReporter | undefined;
  /** Called with each failed call, and the id of the execution that stores it or counts it with equal calls. */
  readonly onFailed?: ((execution: ExecutionRow, storedAs: string) => void) | undefined;
}

// Matches the id of an execution. Its first 12 hex digits are the start time in epoch milliseconds.
const ID = /^exec_([0-9a-f]{12})[0-9a-f]{20}$/;

const executionNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `There is no execution "${id}". Check the id. The service may have deleted the execution after its retention time.`,
  );

type User = Pick<AccountRow, 'identifier' | 'account'>;

function toExecution(row: ExecutionRow, user?: User): Execution {
  const { id, accountId, connectionName, kind, status, durationMs, requestId, serviceVersion } = row;
  const { toolName, method, path, errorCode, upstreamStatus, startedAt, traceId, count } = row;
  const accountIdentifier = user?.identifier ?? row.identifier;
  return {
    id,
    ...(accountId !== null && { accountId }),
    ...(accountIdentifier !== null && { accountIdentifier }),
    ...(user?.account && { accountLabel: user.account }),
    ...(connectionName !== '' && { connectionName }),
    kind,
    ...(toolName !== null && { toolName }),
    ...(method !== null && { method }),
    ...(path !== null && { path }),
    status,
    ...(errorCode !== null && { errorCode }),
    ...(upstreamStatus !== null && { upstreamStatus }),
    durationMs,
    startedAt: new Date(startedAt).toISOString(),
    requestId,
    ...(traceId !== null && { traceId }),
    serviceVersion,
    count,
  };
}

/**
 * Returns the upstream requests of an execution. The column `requests` is empty for a single request with a response,
 * so that request is rebuilt from other columns.
 */
function requestsOf({ attempts, requests, upstreamMs, upstreamStatus }: ExecutionRow) {
  // The cast is safe, because only `toRequests` in upstream/begin-execution.ts writes this column.
  if (requests !== null) return JSON.parse(requests) as readonly ExecutionRequest[];
  if (attempts !== 1 || upstreamMs === null || upstreamStatus === null) return undefined;
  return [{ ms: upstreamMs, pauseMs: 0, status: upstreamStatus }];
}

interface RelatedObjects {
  readonly account: (User & Pick<AccountRow, 'connectedAs'>) | undefined;
  readonly approvalId: string | undefined;
}

/** Returns the cause of a failed call, and the id of the approval that the call waited for or that a person denied. */
function causeOf({ cause: stored }: ExecutionRow): Pick<ExecutionDetails, 'approvalId' | 'cause'> {
  if (stored === null) return {};
  // The cast is safe, because only upstream/execution-cause.ts and `REST_CAUSE` write this column.
  const { approvalId, ...cause } = JSON.parse(stored) as ExecutionCause &
    Pick<ExecutionDetails, 'approvalId'>;
  return {
    ...(approvalId !== undefined && { approvalId }),
    ...(Object.keys(cause).length > 0 && { cause }),
  };
}

function toDetails(row: ExecutionRow, { account, approvalId }: RelatedObjects): ExecutionDetails {
  const { attempts, pausedMs, refreshed, upstreamMs, waitedMs } = row;
  const requests = requestsOf(row);
  const connectedAs = connectedAsIn(account?.connectedAs ?? null);
  return {
    ...toExecution(row, account),
    ...(approvalId !== undefined && { approvalId }),
    ...(connectedAs && { connectedAs }),
    ...(attempts !== null && { attempts }),
    ...(refreshed !== null && { refreshed: refreshed === 1 }),
    ...(upstreamMs !== null && { upstreamMs }),
    ...(waitedMs !== null && { waitedMs }),
    ...(pausedMs !== null && { pausedMs }),
    ...causeOf(row),
    ...(requests && { requests }),
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
export function createExecutionLog(options: ExecutionLogOptions) {
  const { storage, reporter, onError, onDropped, onFailed } = options;
  const insert = createWriteExecutions({ storage, reporter });
  const buffer = createWriteBehind<WrittenExecution>({ insert, onError, onDropped });
  const refusals = createCountRefusals({ write: buffer.add });

  function record(execution: ExecutionRow): void {
    const isCounted = isRefusal(execution);
    const storedAs = isCounted ? refusals.add(execution) : execution.id;
    if (!isCounted) buffer.add(execution);
    if (execution.errorCode !== null) onFailed?.(execution, storedAs);
  }

  function flush(): Promise<void> {
    refusals.writeCounts();
    return buffer.flush();
  }

  async function usersOf(applicationId: string, rows: readonly ExecutionRow[]) {
    const ids = [...new Set(rows.flatMap(({ accountId }) => accountId ?? []))];
    const users = ids.length === 0 ? [] : await storage.accounts.usersOf(applicationId, ids);
    return new Map(users.map((user) => [user.id, user]));
  }

  async function findPage<Item>(
    applicationId: string,
    { pageSize, pageToken, since, until, order, ...facts }: ExecutionFilter,
    toItem: (row: ExecutionRow, user: User | undefined) => Item,
  ): Promise<Page<Item>> {
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
    const item = (row: ExecutionRow) => toItem(row, users.get(row.accountId ?? ''));
    return toPage(rows, page, { keys: keysOf, item, more: searchedTo && keysOf(searchedTo) });
  }

  /**
   * Lists executions, including executions that ended a moment ago. One call searches a bounded number of executions. A
   * filtered page may therefore be short or empty although a next page exists.
   */
  const list = (applicationId: string, filter: ExecutionFilter): Promise<Page<Execution>> =>
    findPage(applicationId, filter, toExecution);

  async function count(
    applicationId: string,
    { since, until, ...facts }: Omit<ExecutionFilter, keyof PageRequest | 'order'>,
  ): Promise<RowCount> {
    await flush();
    const period = { since: readMomentIfAny(since), until: readMomentIfAny(until) };
    return countExecutions(storage, applicationId, { ...facts, ...period });
  }

  /** Lists executions with the details of their timelines, without the objects that belong to them. */
  const listDetails = (applicationId: string, filter: ExecutionFilter): Promise<Page<ExecutionDetails>> =>
    findPage(applicationId, filter, (row, user) =>
      toDetails(row, { account: user && { ...user, connectedAs: null }, approvalId: undefined }),
    );

  async function get(applicationId: string, id: string): Promise<ExecutionDetails> {
    const [, startedAt] = ID.exec(id) ?? [];
    if (startedAt === undefined) throw executionNotFound(id);
    await flush();
    const cursor = { id, startedAt: Number.parseInt(startedAt, 16) };
    const row = await storage.executions.find(applicationId, cursor);
    if (row === undefined) throw executionNotFound(id);
    const account =
      row.accountId === null ? undefined : await storage.accounts.find(applicationId, row.accountId);
    const approvalId = await storage.callApprovals.findIdByExecution(applicationId, id);
    return toDetails(row, { account, approvalId });
  }

  /** Reads statistics of calls, errors and call durations over time. */
  async function statistics(applicationId: string, request: StatisticsRequest): Promise<Statistics> {
    await flush();
    return readStatistics(storage, applicationId, request);
  }

  return {
    /**
     * Adds an execution to the write buffer. Returns at once and never throws, because a call must not fail for lack of
     * its log row.
     */
    record,
    list,
    count,
    listDetails,
    get,
    statistics,
    counts: buffer.counts,
    /** Writes all buffered executions to the database now. Does nothing if none is buffered. */
    flush,
    /** Tries to write all buffered executions to the database, and drops those that cannot be written. */
    close: () => {
      refusals.writeCounts();
      return buffer.close();
    },
  };
}

export type ExecutionLog = ReturnType<typeof createExecutionLog>;
