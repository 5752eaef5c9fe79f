import type { ResolvedAccount } from '../connections/resolved-account.js';
import { newTrace, type Trace } from './trace.js';

/** What ran, without inputs and bodies. */
export interface Execution {
  readonly id: string;
  readonly applicationId: string;
  readonly accountId: string;
  readonly connectionName: string;
  readonly kind: 'tool' | 'proxy';
  readonly toolName: string | null;
  readonly method: string | null;
  /** The HTTP status that the caller got. */
  readonly status: number;
  readonly errorCode: string | null;
  readonly upstreamStatus: number | null;
  readonly durationMs: number;
  readonly startedAt: number;
  readonly requestId: string;
  readonly attempts: number;
  /** 1 when its credential was renewed on the way. */
  readonly refreshed: number;
  /** `null` when nothing was sent. */
  readonly upstreamMs: number | null;
  readonly waitedMs: number;
}

export interface ExecutionParts {
  /** Must not make the caller wait. */
  readonly record: (execution: Execution) => void;
  readonly now: () => Date;
  /** 32 hexadecimal digits. */
  readonly randomId: () => string;
}

type Begun = Pick<Execution, 'kind' | 'toolName' | 'method' | 'requestId'>;
type Outcome = Pick<Execution, 'status'> & Partial<Pick<Execution, 'errorCode' | 'upstreamStatus'>>;

export interface RunningExecution {
  readonly id: string;
  /** To be written down by those who take part in it. */
  readonly trace: Trace;
  finish(outcome: Outcome): void;
}

/** In the order of time: 48 bits of it in milliseconds, and then random ones. */
const executionId = (startedAt: number, randomId: string): string =>
  `exec_${startedAt.toString(16).padStart(12, '0')}${randomId.slice(-20)}`;

/** Begins an execution, which is recorded when it is finished. */
export const createExecutions =
  ({ record, now, randomId }: ExecutionParts) =>
  (account: ResolvedAccount, { kind, toolName, method, requestId }: Begun): RunningExecution => {
    const startedAt = now().getTime();
    const id = executionId(startedAt, randomId());
    const trace = newTrace();
    return {
      id,
      trace,
      // Field by field: each one that is spread after others costs as much as all of these.
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

export type BeginExecution = ReturnType<typeof createExecutions>;
