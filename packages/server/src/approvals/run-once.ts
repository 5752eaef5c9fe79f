import { retryWhileUnavailable, waitUntilStored } from '../concurrency/retry-while-unavailable.js';
import { ServiceError } from '../errors.js';
import { toOwnError } from '../listener/error-reply.js';
import { secret } from '../secret.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { ReadyCall } from '../tools/ask-first.js';
import type { ToolResult } from '../tools/execute.js';
import type { Vault } from '../vault/vault.js';
import { placeOf } from './call-approval.js';
import { HOLDS_MS, type SettleParts } from './settle.js';

export interface RunOnceParts extends SettleParts {
  readonly vault: Vault;
}

/** What the one run came to. */
type Outcome =
  | { readonly result: ToolResult }
  | { readonly error: Pick<ServiceError, 'code' | 'message' | 'details'> };

// A run says that it is alive every third of this; of one that a crash ended nobody knows afterwards how far it came.
const LEASE_MS = 60_000;
// While the database is away a sign is tried again and again: the next one could be too late.
const SIGN_MS = LEASE_MS / 3;
const MOST_ANSWER = 1024 * 1024;

const RUNNING = ['running'] as const;
// One that gave no sign for a while, and ends after all.
const BEGUN = ['running', 'interrupted'] as const;

/** Whether a call that failed has asked the upstream for nothing, so that the person's yes is still good. */
function isUnspent({ code }: ServiceError, { version, execution }: ReadyCall): boolean {
  if (execution.trace.attempts === 0) return true;
  // Of one request that the upstream did not let in; of several, one may have been let in before.
  return code === 'account_not_authorized' && version.request !== undefined;
}

function toOutcome(thrown: unknown): Outcome {
  const { code, message, details } = toOwnError(thrown);
  return { error: { code, message, details } };
}

/** Runs what was approved: one of all that ask at the same time does, and the others get what it came to. */
export function createRunOnce({ storage, vault, commit, now }: RunOnceParts) {
  async function keep(row: CallApprovalRow, outcome: Outcome): Promise<void> {
    const text = JSON.stringify(outcome);
    const isKept = Buffer.byteLength(text) <= MOST_ANSWER;
    const answer = isKept ? await vault.seal(placeOf(row, 'answer'), secret(text)) : null;
    const change = { status: 'executed', answer, holdsUntil: now() + HOLDS_MS } as const;
    await commit(async ({ callApprovals }, tell) => {
      const executionId = row.executionId ?? undefined;
      // Not twice, where the first try was done and its confirmation was lost.
      if (!(await callApprovals.change(row, { statuses: BEGUN, executionId }, change))) return;
      const { applicationId, id: object, toolName: reason } = row;
      const result = 'error' in outcome ? 'refused' : 'done';
      tell({ action: 'approval.executed', applicationId, object, result, reason });
    });
  }

  const changeRun = (row: CallApprovalRow) => {
    const executionId = row.executionId ?? undefined;
    const extend = async () => {
      const change = { holdsUntil: now() + LEASE_MS };
      await storage.callApprovals.change(row, { statuses: RUNNING, executionId }, change);
    };
    const sayAlive = () => retryWhileUnavailable(extend, SIGN_MS).catch(() => undefined);
    const alive = setInterval(sayAlive, SIGN_MS).unref();
    return {
      /** It may run again, as long as the yes holds. */
      giveBack: async () => {
        clearInterval(alive);
        const holdsUntil = (row.decidedAt ?? 0) + HOLDS_MS;
        const change = { status: 'approved', executionId: null, holdsUntil } as const;
        await storage.callApprovals.change(row, { statuses: BEGUN, executionId }, change);
      },
      // The caller gets what the call came to in any case; what cannot be kept is told of as a run that gave no sign.
      keep: (outcome: Outcome) =>
        waitUntilStored(
          retryWhileUnavailable(() => keep(row, outcome), LEASE_MS)
            .catch(() => undefined)
            .finally(() => clearInterval(alive)),
        ),
    };
  };

  return {
    /** `undefined` when somebody else was faster. */
    run: async (
      row: CallApprovalRow,
      ready: ReadyCall,
      work: () => Promise<ToolResult>,
    ): Promise<ToolResult | undefined> => {
      const claim = {
        status: 'running',
        executionId: ready.execution.id,
        holdsUntil: now() + LEASE_MS,
      } as const;
      const claimed = await storage.callApprovals.change(row, { statuses: ['approved'] }, claim);
      if (claimed === undefined) return undefined;
      const own = changeRun(claimed);
      let result: ToolResult;
      try {
        result = await work();
      } catch (error) {
        const failed = toOwnError(error);
        await (isUnspent(failed, ready) ? own.giveBack() : own.keep(toOutcome(failed)));
        throw error;
      }
      await own.keep({ result });
      return result;
    },

    /** What the run came to. Throws what it threw. */
    answerOf: async (row: CallApprovalRow): Promise<ToolResult> => {
      if (row.answer === null)
        throw new ServiceError(
          'conflict',
          'This call was approved and ran, and its answer was too large to be kept. Read what it changed with another call.',
          { status: row.status, executionId: row.executionId },
        );
      // This module wrote it.
      const outcome: Outcome = JSON.parse((await vault.open(placeOf(row, 'answer'), row.answer)).reveal());
      if ('result' in outcome) return outcome.result;
      const { code, message, details } = outcome.error;
      throw new ServiceError(code, message, details);
    },
  };
}

export type RunOnce = ReturnType<typeof createRunOnce>;
