import { createApprovalExpiry } from '../approvals/approval-expiry.js';
import { createApprovalLinks } from '../approvals/approval-links.js';
import { createAskFirst } from '../approvals/ask-first.js';
import { createCallApprovals } from '../approvals/call-approvals.js';
import { createRequestApproval, type RequestApprovalParts } from '../approvals/request-approval.js';
import { createRunOnce } from '../approvals/run-once.js';

interface ApprovalsParts extends Omit<RequestApprovalParts, 'expiry'> {
  /** Base URL that users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
}

/** Builds what asks a person for a yes or no to a call of a tool. */
export function createApprovals({
  caller,
  commit,
  connectors,
  digest,
  environmentUrl,
  now,
  random,
  storage,
  vault,
}: ApprovalsParts) {
  const approvalLinks = createApprovalLinks({ digest, environmentUrl });
  const expiry = createApprovalExpiry({ storage, commit, now });
  const requestApproval = createRequestApproval({
    storage,
    expiry,
    commit,
    vault,
    digest,
    caller,
    connectors,
    now,
    random,
  });
  const runOnce = createRunOnce({ storage, commit, vault, now });
  return {
    approvalLinks,
    callApprovals: createCallApprovals({ storage, expiry, approvalLinks, commit, vault, caller, now }),
    askFirst: createAskFirst({ requestApproval, runOnce, approvalLinks, vault }),
    expireOverdue: expiry.expireOverdue,
  };
}

export type Approvals = ReturnType<typeof createApprovals>;
