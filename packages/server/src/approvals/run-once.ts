import { parseJson } from '@svc/catalog';
import { retryWhileUnavailable, waitUntilStored } from '../concurrency/retry-while-unavailable.js';
import { asServiceError, isFinal, ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { Storage } from '../storage/storage.js';
import type { ReadyCall, ToolResult } from '../tools/execute.js';
import type { Vault } from '../vault/vault.js';
import { HOLDS_MS } from './approval-expiry.js';
import { callApprovalLocation } from './call-approval.js';

interface RunOnceParts {
  readonly storage: Pick<Storage, 'callApprovals'>;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly now: () => number;
}

/**
 * Outcome of an approved tool call: its result or its error. The service stores it encrypted, and returns it to
 * each repetition of the call.
 */
type Outcome =
  | { readonly result: ToolResult }
  | { readonly error: Pick<ServiceError, 'code' | 'message' | 'details'> };

// Milliseconds after the last renewal of a running call's lease until the call counts as interrupted. It is then
// unknown whether the call took effect at the upstream.
const LEASE_MS = 60_000;
// Milliseconds between two renewals of a running call's lease. While the database is unavailable, a renewal is retried
// until the next one is due, so that the lease does not expire.
const RENEW_MS = LEASE_MS / 3;
const MAX_RESULT_BYTES = 1024 * 1024;

const RUNNING = ['running'] as const;
// Statuses of a call that accept an outcome. `interrupted` is included, because such a call may still be running and
// end later.
const BEGUN = ['running', 'interrupted'] as const;

/**
 * True if a failed call certainly had no effect at the upstream. The approval then stays valid, and the call can run
 * again.
 */
function isUnspent(error: ServiceError, { version, execution }: ReadyCall): boolean {
  if (execution.trace.attempts === 0) return true;
  // A tool with `request` sends a single request. The upstream refused it, so nothing was changed. A tool with several
  // requests may already have changed something.
  return error.code === 'account_not_authorized' && !isFinal(error) && version.request !== undefined;
}

function toOutcome(thrown: unknown): Outcome {
  const { code, message, details } = asServiceError(thrown);
  return { error: { code, message, details } };
}

/**
 * Creates the function that runs an approved call at most once. If several callers repeat the call at the same time,
 * one runs it and the others get the stored outcome.
 */
export function createRunOnce({ storage, vault, commit, now }: RunOnceParts) {
  async function store(row: CallApprovalRow, outcome: Outcome): Promise<void> {
    const text = JSON.stringify(outcome);
    const isStorable = Buffer.byteLength(text) <= MAX_RESULT_BYTES;
    const result = isStorable ? await vault.seal(callApprovalLocation(row, 'result'), secret(text)) : null;
    const change = { status: 'executed', result, holdsUntil: now() + HOLDS_MS } as const;
    await commit(async ({ callApprovals }, audit) => {
      const executionId = row.executionId ?? undefined;
      // `change` finds no row if an earlier attempt of this retried transaction was committed. The audit event is then
      // already recorded.
      if (!(await callApprovals.change(row, { statuses: BEGUN, executionId }, change))) return;
      const { applicationId, id: object, toolName: reason } = row;
      const result = 'error' in outcome ? 'refused' : 'done';
      audit({ action: 'approval.executed', applicationId, object, result, reason });
    });
  }

  function startLease(row: CallApprovalRow) {
    const executionId = row.executionId ?? undefined;
    const extend = async () => {
      const change = { holdsUntil: now() + LEASE_MS };
      await storage.callApprovals.change(row, { statuses: RUNNING, executionId }, change);
    };
    const renew = () => retryWhileUnavailable(extend, RENEW_MS).catch(() => undefined);
    const renewal = setInterval(renew, RENEW_MS).unref();
    const end = (work: () => Promise<unknown>): Promise<unknown> =>
      waitUntilStored(
        retryWhileUnavailable(work, LEASE_MS)
          .catch(() => undefined)
          .finally(() => clearInterval(renewal)),
      );
    return {
      /**
       * Ends the running call's lease without an outcome, so that the call can run again until its approval expires.
       * Retries while the database is unavailable, which may also be the reason why the call failed.
       */
      release: () => {
        const holdsUntil = (row.decidedAt ?? 0) + HOLDS_MS;
        const change = { status: 'approved', executionId: null, holdsUntil } as const;
        return end(() => storage.callApprovals.change(row, { statuses: BEGUN, executionId }, change));
      },
      // A failure to store the outcome is ignored, because this caller gets the outcome anyway. The call later counts
      // as interrupted.
      store: (outcome: Outcome) => end(() => store(row, outcome)),
    };
  }

  return {
    /** Runs the approved call. Resolves to `undefined` if a concurrent caller already runs it. */
    async run(
      row: CallApprovalRow,
      ready: ReadyCall,
      work: () => Promise<ToolResult>,
    ): Promise<ToolResult | undefined> {
      const claim = {
        status: 'running',
        executionId: ready.execution.id,
        holdsUntil: now() + LEASE_MS,
      } as const;
      const claimed = await storage.callApprovals.change(row, { statuses: ['approved'] }, claim);
      if (claimed === undefined) return undefined;
      const lease = startLease(claimed);
      let result: ToolResult;
      try {
        result = await work();
      } catch (error) {
        const failed = asServiceError(error);
        await (isUnspent(failed, ready) ? lease.release() : lease.store(toOutcome(failed)));
        throw error;
      }
      await lease.store({ result });
      return result;
    },

    /** Returns the stored tool result of an executed call, or throws its stored error. */
    async resultOf(row: CallApprovalRow): Promise<ToolResult> {
      if (row.result === null)
        throw new ServiceError(
          'conflict',
          'This approved call ran, but its result was too large to store. Read the changed data with another call.',
          { status: row.status, executionId: row.executionId },
        );
      const { reveal } = await vault.open(callApprovalLocation(row, 'result'), row.result);
      // The cast is safe, because only `store` of this file writes the outcome of an approved call.
      const outcome = parseJson(reveal()) as Outcome;
      if ('result' in outcome) return outcome.result;
      const { code, message, details } = outcome.error;
      throw new ServiceError(code, message, details);
    },
  };
}

export type RunOnce = ReturnType<typeof createRunOnce>;
