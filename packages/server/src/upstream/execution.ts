import type { ResolvedAccount } from '../connections/resolved-account.js';

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
  finish(outcome: Outcome): void;
}

/** In the order of time: 48 bits of it in milliseconds, and then random ones. */
const executionId = (startedAt: number, randomId: string): string =>
  `exec_${startedAt.toString(16).padStart(12, '0')}${randomId.slice(-20)}`;

/** Begins an execution, which is recorded when it is finished. */
export const createExecutions =
  ({ record, now, randomId }: ExecutionParts) =>
  (account: ResolvedAccount, begun: Begun): RunningExecution => {
    const startedAt = now().getTime();
    const id = executionId(startedAt, randomId());
    return {
      id,
      finish: ({ status, errorCode = null, upstreamStatus = null }) =>
        record({
          id,
          applicationId: account.applicationId,
          accountId: account.id,
          connectionName: account.connectionName,
          ...begun,
          status,
          errorCode,
          upstreamStatus,
          durationMs: now().getTime() - startedAt,
          startedAt,
        }),
    };
  };

export type BeginExecution = ReturnType<typeof createExecutions>;
