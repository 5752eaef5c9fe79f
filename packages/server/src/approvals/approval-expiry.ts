import type { CallApprovalStatus } from '../names/approval-statuses.js';
import type { Commit } from '../records/commit.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { CallApprovalKey } from '../storage/call-approvals-table.js';
import type { Storage } from '../storage/storage.js';

interface ApprovalExpiryParts {
  readonly storage: Pick<Storage, 'callApprovals'>;
  readonly commit: Commit;
  readonly now: () => number;
}

/** Time that an outcome holds for the same call: a repetition gets it, and nobody is asked again. */
export const HOLDS_MS = 30 * 60_000;

interface End {
  readonly status: CallApprovalStatus;
  readonly action: 'approval.expired' | 'approval.interrupted';
}

/** How an approval ends when the time of its status is over. */
const AFTER: Readonly<Partial<Record<CallApprovalStatus, End>>> = {
  pending: { status: 'expired', action: 'approval.expired' },
  approved: { status: 'expired', action: 'approval.expired' },
  running: { status: 'interrupted', action: 'approval.interrupted' },
};

const EXPIRED_AT_ONCE = 50;

/** Expires calls that nobody approved or repeated in time, and interrupts runs whose lease has ended: they never run again. */
export function createApprovalExpiry({ storage, commit, now }: ApprovalExpiryParts) {
  async function end(row: CallApprovalRow, { status, action }: End): Promise<CallApprovalRow | undefined> {
    const { applicationId, id: object, executionId } = row;
    return commit(async ({ callApprovals }, audit) => {
      const state = { statuses: [row.status], executionId: executionId ?? undefined, until: now() };
      const ended = await callApprovals.change(row, state, { status, holdsUntil: now() + HOLDS_MS });
      if (ended) audit({ action, applicationId, object, result: 'refused', reason: row.toolName });
      return ended;
    });
  }

  /** Returns the row with its current status. */
  async function refresh<Row extends CallApprovalRow>(row: Row): Promise<Row> {
    const after = row.holdsUntil <= now() ? AFTER[row.status] : undefined;
    if (after === undefined) return row;
    const ended = (await end(row, after)) ?? (await storage.callApprovals.find(row.applicationId, row.id));
    return { ...row, ...ended };
  }

  async function find({ applicationId, id }: CallApprovalKey) {
    const row = await storage.callApprovals.find(applicationId, id);
    return row && refresh(row);
  }

  /** Ends all overdue approvals, and deletes stored results that no caller gets any more. */
  async function expireOverdue(): Promise<void> {
    for (;;) {
      const overdue = await storage.callApprovals.overdue(now(), EXPIRED_AT_ONCE);
      for (const row of overdue) await refresh(row);
      if (overdue.length < EXPIRED_AT_ONCE) break;
    }
    await storage.callApprovals.deleteExpiredAnswers(now());
  }

  return { refresh, find, expireOverdue };
}

export type ApprovalExpiry = ReturnType<typeof createApprovalExpiry>;
