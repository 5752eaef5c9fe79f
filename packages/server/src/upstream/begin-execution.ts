import type { ResolvedAccount } from '../connections/resolved-account.js';
import { newTrace, type Trace } from './trace.js';

/** Record of one tool call or proxy call. It contains no inputs and no bodies. */
export interface Execution {
  readonly id: string;
  readonly applicationId: string;
  readonly accountId: string;
  readonly connectionName: string;
  readonly kind: 'tool' | 'proxy';
  readonly toolName: string | null;
  readonly method: string | null;
  /** HTTP status of the response to the caller. */
  readonly status: number;
  readonly errorCode: string | null;
  readonly upstreamStatus: number | null;
  readonly durationMs: number;
  readonly startedAt: number;
  readonly requestId: string;
  readonly attempts: number;
  /** 1 when the account's credential was renewed during the call, otherwise 0. */
  readonly refreshed: number;
  /** Milliseconds until the upstream responded; `null` when nothing was sent. */
  readonly upstreamMs: number | null;
  readonly waitedMs: number;
}

interface BeginExecutionOptions {
  /** Stores the record of a finished call. It must not block the caller, so it returns at once. */
  readonly record: (execution: Execution) => void;
  readonly now: () => Date;
  /** Returns a new random id of 32 hexadecimal digits. */
  readonly randomId: () => string;
}

type Begun = Pick<Execution, 'kind' | 'toolName' | 'method' | 'requestId'>;
type Outcome = Pick<Execution, 'status'> & Partial<Pick<Execution, 'errorCode' | 'upstreamStatus'>>;

export interface RunningExecution {
  readonly id: string;
  /** Measurements of the call. The credential lookup, the queue and the HTTP client record their times here. */
  readonly trace: Trace;
  finish(outcome: Outcome): void;
}

/** Creates an execution id that sorts by time: 48 bits of epoch milliseconds, then 80 random bits. */
const executionId = (startedAt: number, randomId: string): string =>
  `exec_${startedAt.toString(16).padStart(12, '0')}${randomId.slice(-20)}`;

export function createBeginExecution({ record, now, randomId }: BeginExecutionOptions) {
  /** Begins the execution of a call. `finish` writes its record. */
  return function beginExecution(
    account: ResolvedAccount,
    { kind, toolName, method, requestId }: Begun,
  ): RunningExecution {
    const startedAt = now().getTime();
    const id = executionId(startedAt, randomId());
    const trace = newTrace();
    return {
      id,
      trace,
      // Lists the fields one by one, because an object spread here costs as much time as all of them.
      finish: ({ status, errorCode = null, upstreamStatus = null }) =>
        record({
          id,
          applicationId: account.applicationId,
          accountId: account.id,
          connectionName: account.connectionName,
          kind,
          toolName,
          method,
          requestId,
          status,
          errorCode,
          upstreamStatus,
          durationMs: now().getTime() - startedAt,
          startedAt,
          attempts: trace.attempts,
          refreshed: trace.isRefreshed ? 1 : 0,
          upstreamMs: trace.attempts === 0 ? null : Math.round(trace.upstreamMs),
          waitedMs: Math.round(trace.waitedMs),
        }),
    };
  };
}

export type BeginExecution = ReturnType<typeof createBeginExecution>;
