import type { CallApprovalStatus } from '../names/approval-statuses.js';
import type { Commit } from '../records/commit.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { CallApprovalKey } from '../storage/call-approvals-table.js';
import type { Storage } from '../storage/storage.js';

export interface SettleParts {
  readonly storage: Pick<Storage, 'callApprovals'>;
  readonly commit: Commit;
  readonly now: () => number;
}

/** How long what became of a call holds for the same call: whoever asks again gets it, and nobody is asked again. */
export const HOLDS_MS = 30 * 60_000;

interface End {
  readonly status: CallApprovalStatus;
  readonly action: 'approval.expired' | 'approval.interrupted';
}

/** What becomes of those whose time is over. */
const AFTER: Readonly<Partial<Record<CallApprovalStatus, End>>> = {
  pending: { status: 'expired', action: 'approval.expired' },
  approved: { status: 'expired', action: 'approval.expired' },
  running: { status: 'interrupted', action: 'approval.interrupted' },
};

const EXPIRED_AT_ONCE = 50;

/** Lets time have its say: what nobody decided or called is denied, and a run that gives no sign any more never runs again. */
export function createSettle({ storage, commit, now }: SettleParts) {
  async function end(row: CallApprovalRow, { status, action }: End): Promise<CallApprovalRow | undefined> {
    const { applicationId, id: object, executionId } = row;
    return commit(async ({ callApprovals }, tell) => {
      const state = { statuses: [row.status], executionId: executionId ?? undefined, until: now() };
      const ended = await callApprovals.change(row, state, { status, holdsUntil: now() + HOLDS_MS });
      if (ended) tell({ action, applicationId, object, result: 'refused', reason: row.toolName });
      return ended;
    });
  }

  /** The row as it is by now. */
  async function settle<Row extends CallApprovalRow>(row: Row): Promise<Row> {
    const after = row.holdsUntil <= now() ? AFTER[row.status] : undefined;
    if (after === undefined) return row;
    const ended = (await end(row, after)) ?? (await storage.callApprovals.find(row.applicationId, row.id));
    return { ...row, ...ended };
  }

  return {
    settle,
    find: async ({ applicationId, id }: CallApprovalKey) => {
      const row = await storage.callApprovals.find(applicationId, id);
      return row && settle(row);
    },
    /** All that are overdue, and answers that nobody gets any more. */
    settleAll: async (): Promise<void> => {
      for (;;) {
        const overdue = await storage.callApprovals.overdue(now(), EXPIRED_AT_ONCE);
        for (const row of overdue) await settle(row);
        if (overdue.length < EXPIRED_AT_ONCE) break;
      }
      await storage.callApprovals.deleteExpiredAnswers(now());
    },
  };
}

export type Settle = ReturnType<typeof createSettle>;
