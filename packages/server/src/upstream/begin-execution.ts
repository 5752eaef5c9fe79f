import { type Connector, cutText } from '@svc/catalog';
import type { AccountReference } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import type { ServiceError } from '../errors.js';
import type { ExecutionRow } from '../storage/schema.js';
import { printableLine } from '../text/printable.js';
import { causeOf, upstreamCause } from './execution-cause.js';
import type { ShowPath } from './show-path.js';
import { newTrace, type SentRequest, type Trace } from './trace.js';

/**
 * Record of one tool call or proxied request. It contains no inputs and no bodies. Attempts, refreshes, waiting time
 * and pauses are always set here, although old rows in the database lack them.
 */
export interface ExecutionRecord extends Readonly<ExecutionRow> {
  readonly attempts: number;
  readonly refreshed: number;
  readonly waitedMs: number;
  readonly pausedMs: number;
}

export interface BeginExecutionOptions {
  /**
   * Queues the record of a finished execution for storing, and returns without waiting for the database. `account`:
   * account that the call used; `undefined` if unknown.
   */
  readonly record: (execution: ExecutionRecord, account: ResolvedAccount | undefined, trace: Trace) => void;
  readonly connectors: ReadonlyMap<string, Pick<Connector, 'errorText'>>;
  readonly showPath: ShowPath;
  readonly now: () => Date;
  /** Returns a new random id of 32 hexadecimal digits. */
  readonly randomId: () => string;
  /** Version of the service. */
  readonly version: string;
}

/** Tool call or proxied request whose execution begins. The connected account that the caller named need not exist. */
export interface BegunExecution
  extends AccountReference,
    Pick<ExecutionRecord, 'applicationId' | 'requestId'> {
  readonly traceId?: string | undefined;
  readonly toolName?: string | undefined;
  /** Input of the tool call. The execution's record does not contain it. */
  readonly toolInput?: unknown;
  readonly method?: string | undefined;
}

/**
 * Result of a call: HTTP status of the service's response to the caller, and HTTP status of the upstream's response.
 */
interface Outcome {
  readonly status: number;
  readonly upstreamStatus: number | null;
  readonly errorCode?: string | null;
  /** Body of the upstream's response, if the upstream refused a proxied request. */
  readonly refusal?: unknown;
}

export interface RunningExecution {
  readonly id: string;
  /**
   * Measurements of the execution, such as attempts and waiting times. The credential lookup, the queue and the HTTP
   * client update them.
   */
  readonly trace: Trace;
  /** Sets the account that the caller named, if the service learns it only after the execution began. */
  setReference(account: AccountReference): void;
  /** Sets the account that the call uses, for the execution's record. */
  setAccount(account: ResolvedAccount): void;
  /** Sets the upstream path of a proxied request, for the execution's record. */
  setPath(path: string): void;
  finish(outcome: Outcome): void;
  /** Finishes the execution with the error that the service returns to the caller, and stores the record. */
  fail(error: ServiceError, upstreamStatus?: number | null): void;
}

const MAX_NAME_CHARACTERS = 256;
const MAX_TOOL_NAME_CHARACTERS = 128;

/**
 * Shortens a text that the caller sent, and escapes its control characters, because PostgreSQL may not be able to store
 * them.
 */
const stored = (text: string, most: number): string => printableLine(cutText(text, most));

/**
 * Serializes the requests that a call sent to the upstream as JSON. Returns `null` for a single request that got a
 * response, because the record's other columns describe it.
 */
function toRequests(sent: readonly SentRequest[]): string | null {
  const [first] = sent;
  if (first === undefined || (sent.length === 1 && typeof first.outcome === 'number')) return null;
  return JSON.stringify(
    sent.map(({ ms, pauseMs, outcome }) => ({
      ms: Math.round(ms),
      pauseMs: Math.round(pauseMs),
      ...(typeof outcome === 'number' ? { status: outcome } : { failure: outcome }),
    })),
  );
}

/** Creates an execution id that sorts by time: 48 bits with the milliseconds since 1970, then 80 random bits. */
const executionId = (startedAt: number, randomId: string): string =>
  `exec_${startedAt.toString(16).padStart(12, '0')}${randomId.slice(-20)}`;

export function createBeginExecution(options: BeginExecutionOptions) {
  const { record, connectors, showPath, now, randomId, version } = options;

  /** Starts the execution of a tool call or proxied request. `finish` and `fail` store its record. */
  return function beginExecution(kind: ExecutionRecord['kind'], begun: BegunExecution): RunningExecution {
    const startedAt = now().getTime();
    const id = executionId(startedAt, randomId());
    const trace = newTrace();
    const { toolName, toolInput } = begun;
    let named: AccountReference = begun;
    let account: ResolvedAccount | undefined;
    let path: string | undefined;

    const factsOf = () => ({
      connector: account && connectors.get(account.connector),
      input: toolInput,
      userTexts: [account?.identifier ?? named.identifier ?? '', account?.account ?? named.account ?? ''],
      hidesUpstreamErrors: account?.hidesUpstreamErrors === true,
    });

    function store(outcome: Outcome, cause: string | null, refused: ServiceError['account']): void {
      const { status, errorCode = null, upstreamStatus } = outcome;
      const { connectedAccountId, connectionName = '', identifier } = named;
      // Lists the record's fields one by one for speed. Spreading an object with a few fields takes as long as this
      // whole list.
      record(
        {
          id,
          applicationId: begun.applicationId,
          accountId:
            account?.id ??
            refused?.id ??
            (connectedAccountId ? stored(connectedAccountId, MAX_NAME_CHARACTERS) : null),
          connectionName:
            account?.connectionName ?? refused?.connectionName ?? stored(connectionName, MAX_NAME_CHARACTERS),
          identifier: account || identifier === undefined ? null : stored(identifier, MAX_NAME_CHARACTERS),
          kind,
          // Shortens and escapes the tool name if the account is unknown, because the name is then unchecked text from
          // the caller.
          toolName:
            account || toolName === undefined
              ? (toolName ?? null)
              : stored(toolName, MAX_TOOL_NAME_CHARACTERS),
          method: begun.method ?? null,
          path: path === undefined ? null : showPath(path, account?.connector),
          requestId: begun.requestId,
          traceId: begun.traceId ?? null,
          serviceVersion: version,
          status,
          errorCode,
          upstreamStatus,
          durationMs: now().getTime() - startedAt,
          startedAt,
          attempts: trace.attempts,
          refreshed: trace.isRefreshed ? 1 : 0,
          upstreamMs: trace.attempts === 0 ? null : Math.round(trace.upstreamMs),
          waitedMs: Math.round(trace.waitedMs),
          pausedMs: Math.round(trace.pausedMs),
          count: 1,
          cause,
          requests: toRequests(trace.requests),
        },
        account,
        trace,
      );
    }

    return {
      id,
      trace,
      setReference: (reference) => {
        named = reference;
      },
      setAccount: (found) => {
        account = found;
      },
      setPath: (requested) => {
        path = requested;
      },
      finish: (outcome) => {
        const { refusal, status } = outcome;
        if (refusal === undefined) return store(outcome, null, undefined);
        const said = upstreamCause({ status, body: refusal }, factsOf());
        store(outcome, Object.keys(said).length === 0 ? null : JSON.stringify(said), undefined);
      },
      fail: (error, upstreamStatus = null) => {
        const { account: refused, code, status } = error;
        store({ status, errorCode: code, upstreamStatus }, causeOf(error, factsOf()), refused);
      },
    };
  };
}

export type BeginExecution = ReturnType<typeof createBeginExecution>;
