import { createFailureCounts } from '../records/failure-counts.js';
import type { ExecutionRow } from '../storage/schema.js';
import type { Tables } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { type EventDraft, namesOf } from './describe-change.js';

/** Maximum number of events about failed executions per application and minute that one process creates. */
export const MAX_PER_MINUTE = 60;

type Name = { readonly identifier: string; readonly account: string };

/**
 * Returns the fields that identify the account of an execution. If the account was not found, returns the names from
 * the caller's request.
 */
function ownerOf({ accountId, connectionName, identifier }: ExecutionRow, name: Name | undefined) {
  if (name && accountId !== null) return namesOf(accountId, { ...name, connectionName });
  return {
    ...(accountId !== null && { accountId }),
    ...(connectionName !== '' && { connectionName }),
    ...(identifier !== null && { identifier }),
  };
}

function describe(row: ExecutionRow, name: Name | undefined) {
  const { id, kind, toolName, method, status, errorCode, upstreamStatus } = row;
  return {
    executionId: id,
    kind,
    ...(toolName !== null && { toolName }),
    ...(method !== null && { method }),
    ...ownerOf(row, name),
    status,
    ...(errorCode !== null && { errorCode }),
    ...(upstreamStatus !== null && { upstreamStatus }),
    startedAt: isoTime(row.startedAt),
    durationMs: row.durationMs,
  };
}

/**
 * Creates the function that builds events about failed executions. Failures beyond `MAX_PER_MINUTE` cause no event; the
 * next event contains their number as `unreported`.
 */
export function createDescribeFailure({ now }: { readonly now: () => number }) {
  const reported = createFailureCounts({ limit: MAX_PER_MINUTE, now });
  const unreported = new Map<string, number>();

  return async function describeFailure(tables: Tables, row: ExecutionRow): Promise<EventDraft | undefined> {
    const { applicationId, accountId, connectionName, startedAt, durationMs } = row;
    const count = unreported.get(applicationId) ?? 0;
    if (reported.retryAfter(applicationId) !== undefined) {
      unreported.set(applicationId, count + 1);
      return undefined;
    }
    reported.add(applicationId);
    unreported.delete(applicationId);
    const name = accountId === null ? undefined : await tables.accounts.findName(applicationId, accountId);
    const data = { ...describe(row, name), unreported: count };
    return {
      applicationId,
      type: 'execution.failed',
      at: startedAt + durationMs,
      accountId,
      connectionName,
      data,
    };
  };
}
