import type { ExecutionRow } from '../storage/schema.js';

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

/** What ran, and how it went. */
export interface ToldExecution extends Execution {
  /** As long as there is such an account. */
  readonly accountIdentifier?: string;
  /** The approval that it ran by, where a person was asked. */
  readonly approvalId?: string;
  /** Requests that were sent upstream. */
  readonly attempts?: number;
  /** Whether its credential was renewed on the way. */
  readonly refreshed?: boolean;
  /** How long it waited for the upstream's answers. */
  readonly upstreamMs?: number;
  /** How long it waited for its turn. */
  readonly waitedMs?: number;
}

export function toExecution(row: ExecutionRow): Execution {
  const { id, accountId, connectionName, kind, status, durationMs, requestId } = row;
  const { toolName, method, errorCode, upstreamStatus, startedAt } = row;
  return {
    id,
    accountId,
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
  };
}

interface Beside {
  readonly accountIdentifier: string | undefined;
  readonly approvalId: string | undefined;
}

export function tellExecution(row: ExecutionRow, { accountIdentifier, approvalId }: Beside): ToldExecution {
  const { attempts, refreshed, upstreamMs, waitedMs } = row;
  return {
    ...toExecution(row),
    ...(accountIdentifier !== undefined && { accountIdentifier }),
    ...(approvalId !== undefined && { approvalId }),
    ...(attempts !== null && { attempts }),
    ...(refreshed !== null && { refreshed: refreshed === 1 }),
    ...(upstreamMs !== null && { upstreamMs }),
    ...(waitedMs !== null && { waitedMs }),
  };
}
