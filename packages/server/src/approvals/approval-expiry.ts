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

/**
 * Validity of an approval in milliseconds: 30 minutes after the person's decision, and again 30 minutes after the call
 * has run. Until then an identical tool call reuses the decision or the stored tool result.
 */
export const HOLDS_MS = 30 * 60_000;

interface End {
  readonly status: CallApprovalStatus;
  readonly action: 'approval.expired' | 'approval.interrupted';
}

/**
 * Final status and audit action of an approval whose current status has expired. Statuses without an entry do not
 * change.
 */
const AFTER: Readonly<Partial<Record<CallApprovalStatus, End>>> = {
  pending: { status: 'expired', action: 'approval.expired' },
  approved: { status: 'expired', action: 'approval.expired' },
  running: { status: 'interrupted', action: 'approval.interrupted' },
};

const EXPIRED_AT_ONCE = 50;

/**
 * Creates the functions that end approvals. A pending approval expires if nobody decides it in time, and an approved
 * one if the caller does not repeat the call in time. A call whose process crashed while the call ran becomes
 * `interrupted`, and never runs again.
 */
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

  /** Returns the approval's row. If its current status has expired, first stores the status that follows. */
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

  /**
   * Stores the final status of all approvals whose current status has expired. Deletes stored tool results that no
   * caller can get any more.
   */
  async function expireOverdue(): Promise<void> {
    for (;;) {
      const overdue = await storage.callApprovals.overdue(now(), EXPIRED_AT_ONCE);
      for (const row of overdue) await refresh(row);
      if (overdue.length < EXPIRED_AT_ONCE) break;
    }
    await storage.callApprovals.deleteExpiredResults(now());
  }

  return { refresh, find, expireOverdue };
}

export type ApprovalExpiry = ReturnType<typeof createApprovalExpiry>;
