import type { ResolvedAccount } from '../connections/resolved-account.js';
import { newTrace, type Trace } from './trace.js';

/** Record of one tool call or proxied request. It contains no inputs and no bodies. */
export interface Execution {
  readonly id: string;
  readonly applicationId: string;
  readonly accountId: string;
  readonly connectionName: string;
  readonly kind: 'tool' | 'proxy';
  readonly toolName: string | null;
  readonly method: string | null;
  /** HTTP status of the service's response to the caller. */
  readonly status: number;
  readonly errorCode: string | null;
  readonly upstreamStatus: number | null;
  readonly durationMs: number;
  readonly startedAt: number;
  readonly requestId: string;
  /** Id of the caller's trace; `null` without a valid `traceparent`. */
  readonly traceId: string | null;
  /** Version of the service that ran the execution. */
  readonly serviceVersion: string;
  readonly attempts: number;
  /** 1 if the account's credential was refreshed during the call, otherwise 0. */
  readonly refreshed: number;
  /** Time in milliseconds until the upstream responded. `null` if no request was sent to the upstream. */
  readonly upstreamMs: number | null;
  readonly waitedMs: number;
}

export interface BeginExecutionOptions {
  /** Stores the record of a finished execution of an account of the connector. Returns at once, because the caller must not wait for the database. */
  readonly record: (execution: Execution, connector: string) => void;
  readonly now: () => Date;
  /** Returns a new random id of 32 hexadecimal digits. */
  readonly randomId: () => string;
  /** Version of the service. */
  readonly version: string;
}

export interface BegunExecution extends Pick<Execution, 'kind' | 'toolName' | 'method' | 'requestId'> {
  readonly traceId: string | undefined;
}
type Outcome = Pick<Execution, 'status'> & Partial<Pick<Execution, 'errorCode' | 'upstreamStatus'>>;

export interface RunningExecution {
  readonly id: string;
  /**
   * Measurements of the execution, such as attempts and waiting times. The credential lookup, the queue and the HTTP
   * client update them.
   */
  readonly trace: Trace;
  finish(outcome: Outcome): void;
}

/** Creates an execution id that sorts by time: 48 bits of epoch milliseconds, then 80 random bits. */
const executionId = (startedAt: number, randomId: string): string =>
  `exec_${startedAt.toString(16).padStart(12, '0')}${randomId.slice(-20)}`;

export function createBeginExecution({ record, now, randomId, version }: BeginExecutionOptions) {
  /** Starts the execution of a tool call or proxied request. `finish` stores its record. */
  return function beginExecution(
    account: ResolvedAccount,
    { kind, toolName, method, requestId, traceId }: BegunExecution,
  ): RunningExecution {
    const startedAt = now().getTime();
    const id = executionId(startedAt, randomId());
    const trace = newTrace();
    return {
      id,
      trace,
      // Lists the fields one by one, because an object spread would take as much time as all of them together.
      finish: ({ status, errorCode = null, upstreamStatus = null }) =>
        record(
          {
            id,
            applicationId: account.applicationId,
            accountId: account.id,
            connectionName: account.connectionName,
            kind,
            toolName,
            method,
            requestId,
            traceId: traceId ?? null,
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
          },
          account.connector,
        ),
    };
  };
}

export type BeginExecution = ReturnType<typeof createBeginExecution>;
