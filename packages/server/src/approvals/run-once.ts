import { parseJson } from '@svc/catalog';
import { retryWhileUnavailable, waitUntilStored } from '../concurrency/retry-while-unavailable.js';
import { ServiceError } from '../errors.js';
import { toOwnError } from '../listener/error-reply.js';
import type { Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { Storage } from '../storage/storage.js';
import type { ReadyCall, ToolResult } from '../tools/execute.js';
import type { Vault } from '../vault/vault.js';
import { HOLDS_MS } from './approval-expiry.js';
import { placeOf } from './call-approval.js';

interface RunOnceParts {
  readonly storage: Pick<Storage, 'callApprovals'>;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly now: () => number;
}

/** Outcome of the one run, as it is encrypted. */
type Outcome =
  | { readonly result: ToolResult }
  | { readonly error: Pick<ServiceError, 'code' | 'message' | 'details'> };

// A run that stops renewing its lease counts as interrupted: nobody knows how far it came.
const LEASE_MS = 60_000;
// While the database is unavailable, a renewal is retried until the next one is due. Waiting for that one could end the lease.
const RENEW_MS = LEASE_MS / 3;
const MOST_ANSWER = 1024 * 1024;

const RUNNING = ['running'] as const;
// An interrupted run may still end.
const BEGUN = ['running', 'interrupted'] as const;

/** True when a failed call did nothing upstream, so that the approval stays valid. */
function isUnspent({ code }: ServiceError, { version, execution }: ReadyCall): boolean {
  if (execution.trace.attempts === 0) return true;
  // The upstream refused its only request. Of several requests, an earlier one may have been accepted.
  return code === 'account_not_authorized' && version.request !== undefined;
}

function toOutcome(thrown: unknown): Outcome {
  const { code, message, details } = toOwnError(thrown);
  return { error: { code, message, details } };
}

/** Runs an approved call once: one of all concurrent callers runs it, and the others get its outcome. */
export function createRunOnce({ storage, vault, commit, now }: RunOnceParts) {
  async function keep(row: CallApprovalRow, outcome: Outcome): Promise<void> {
    const text = JSON.stringify(outcome);
    const isKept = Buffer.byteLength(text) <= MOST_ANSWER;
    const answer = isKept ? await vault.seal(placeOf(row, 'answer'), secret(text)) : null;
    const change = { status: 'executed', answer, holdsUntil: now() + HOLDS_MS } as const;
    await commit(async ({ callApprovals }, audit) => {
      const executionId = row.executionId ?? undefined;
      // False after a retry whose first attempt was committed, so that it is audited once.
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
    return {
      /** Lets the call run again while the approval holds. */
      release: async () => {
        clearInterval(renewal);
        const holdsUntil = (row.decidedAt ?? 0) + HOLDS_MS;
        const change = { status: 'approved', executionId: null, holdsUntil } as const;
        await storage.callApprovals.change(row, { statuses: BEGUN, executionId }, change);
      },
      // The caller gets the outcome in any case. The run counts as interrupted when its outcome cannot be stored.
      keep: (outcome: Outcome) =>
        waitUntilStored(
          retryWhileUnavailable(() => keep(row, outcome), LEASE_MS)
            .catch(() => undefined)
            .finally(() => clearInterval(renewal)),
        ),
    };
  }

  return {
    /** Resolves to `undefined` when another caller was first. */
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
        const failed = toOwnError(error);
        await (isUnspent(failed, ready) ? lease.release() : lease.keep(toOutcome(failed)));
        throw error;
      }
      await lease.keep({ result });
      return result;
    },

    /** Returns the stored result, or throws the stored error. */
    async resultOf(row: CallApprovalRow): Promise<ToolResult> {
      if (row.answer === null)
        throw new ServiceError(
          'conflict',
          'This approved call ran, but its result was too large to store. Read its effect with another call.',
          { status: row.status, executionId: row.executionId },
        );
      // `keep` above wrote it.
      const { reveal } = await vault.open(placeOf(row, 'answer'), row.answer);
      const outcome = parseJson(reveal()) as Outcome;
      if ('result' in outcome) return outcome.result;
      const { code, message, details } = outcome.error;
      throw new ServiceError(code, message, details);
    },
  };
}

export type RunOnce = ReturnType<typeof createRunOnce>;
