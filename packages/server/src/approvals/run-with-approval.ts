import { policyNeedsApproval } from '../connections/approval-policy.js';
import { ServiceError } from '../errors.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { ReadyCall, RunWithApproval, ToolResult } from '../tools/execute.js';
import type { Vault } from '../vault/vault.js';
import type { ApprovalLinks } from './approval-links.js';
import { callApprovalLocation, openCall } from './call-approval.js';
import { describeObject } from './named-object.js';
import type { RequestApproval } from './request-approval.js';
import type { RunOnce } from './run-once.js';

interface RunWithApprovalParts {
  readonly requestApproval: RequestApproval;
  readonly runOnce: RunOnce;
  readonly approvalLinks: ApprovalLinks;
  readonly vault: Vault;
}

const toTime = (ms: number): string => new Date(ms).toISOString();

const isRunning = () =>
  new ServiceError(
    'conflict',
    'This call was approved and is still running. Repeat the call in 1 s to get its result.',
    {
      retryAfter: 1,
    },
  );

const wasInterrupted = ({ id, executionId }: CallApprovalRow) =>
  new ServiceError(
    'conflict',
    'This approved call was interrupted, because its instance of the service stopped. The call may have taken effect upstream, and does not run again. Check at the upstream whether the call took effect. Make a new call only if it did not.',
    { id, status: 'interrupted', executionId },
  );

export function createRunWithApproval({
  requestApproval,
  runOnce,
  approvalLinks,
  vault,
}: RunWithApprovalParts): RunWithApproval {
  /**
   * Creates the error for a tool call whose approval is pending. Only the application gets the link that approves the
   * call, because the bearer of an access token must not decide. The error names the upstream object only if the caller
   * could read it.
   */
  async function approvalRequired(row: CallApprovalRow, ready: ReadyCall): Promise<ServiceError> {
    const { id, applicationId, caller, holdsUntil } = row;
    const link =
      caller === applicationId ? approvalLinks.linkOf(id) : approvalLinks.pageOf(applicationId, id);
    const expiresAt = toTime(holdsUntil);
    const object = ready.object?.mayCallerRead() ? (await openCall(vault, row)).object : undefined;
    const subject = object ? ` The call is about ${describeObject(object)}.` : '';
    return new ServiceError(
      'approval_required',
      `A person has to approve this call first, before ${expiresAt}. Nothing ran yet.${subject} Repeat the same call after the approval to get its result. Link for the approval: ${link}`,
      { id, link, expiresAt, ...(object && { object }) },
    );
  }

  async function approvalDenied(row: CallApprovalRow): Promise<ServiceError> {
    const { id, status } = row;
    const holdsUntil = toTime(row.holdsUntil);
    if (status === 'expired') {
      const cause =
        row.decidedAt === null
          ? 'Nobody approved this call in time'
          : 'The call was approved, but not repeated within 30 minutes';
      return new ServiceError(
        'approval_denied',
        `${cause}, so nothing ran. To request approval again, repeat the call after ${holdsUntil}.`,
        { id, status, holdsUntil },
      );
    }
    const reason =
      row.reason === null
        ? undefined
        : (await vault.open(callApprovalLocation(row, 'reason'), row.reason)).reveal();
    const why = reason === undefined ? '' : ` Reason: ${reason}`;
    return new ServiceError(
      'approval_denied',
      `A person denied this call, so nothing ran. Do not repeat the call before ${holdsUntil}, because the service refuses it until then.${why}`,
      { id, status, reason, holdsUntil },
    );
  }

  /**
   * Runs a tool call after a person has approved it, if the connection's policy or the caller's token requires
   * approval. Other calls run at once.
   */
  async function runWithApproval(ready: ReadyCall, run: () => Promise<ToolResult>): Promise<ToolResult> {
    if (!ready.needsApproval && !policyNeedsApproval(ready.account, ready.tool)) return run();
    for (;;) {
      const row = await requestApproval(ready);
      if (row.status === 'pending') throw await approvalRequired(row, ready);
      if (row.status === 'running') throw isRunning();
      if (row.status === 'executed') return runOnce.resultOf(row);
      if (row.status === 'interrupted') throw wasInterrupted(row);
      if (row.status !== 'approved') throw await approvalDenied(row);
      const result = await runOnce.run(row, ready, run);
      if (result !== undefined) return result;
    }
  }

  return runWithApproval;
}
