import type { ResolvedAccount } from '../connections/resolved-account.js';
import { newTrace, type Trace } from './trace.js';

/** The record of a call, without inputs and bodies. */
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
  /** 1 when its credential was renewed during the call. */
  readonly refreshed: number;
  /** `null` when nothing was sent. */
  readonly upstreamMs: number | null;
  readonly waitedMs: number;
}

interface BeginExecutionOptions {
  /** Stores the record. It must return at once. */
  readonly record: (execution: Execution) => void;
  readonly now: () => Date;
  /** 32 hexadecimal digits. */
  readonly randomId: () => string;
}

type Begun = Pick<Execution, 'kind' | 'toolName' | 'method' | 'requestId'>;
type Outcome = Pick<Execution, 'status'> & Partial<Pick<Execution, 'errorCode' | 'upstreamStatus'>>;

export interface RunningExecution {
  readonly id: string;
  /** Filled by everything that takes part in the call. */
  readonly trace: Trace;
  finish(outcome: Outcome): void;
}

/** An id that sorts by time: 48 bits of milliseconds, then 80 random bits. */
const executionId = (startedAt: number, randomId: string): string =>
  `exec_${startedAt.toString(16).padStart(12, '0')}${randomId.slice(-20)}`;

export function createBeginExecution({ record, now, randomId }: BeginExecutionOptions) {
  /** Begins an execution, which is recorded when it is finished. */
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
      // Field by field, because a spread costs as much as all of these.
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
