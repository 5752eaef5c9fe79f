import { createApprovalExpiry } from '../approvals/approval-expiry.js';
import { createApprovalLinks } from '../approvals/approval-links.js';
import { createCallApprovals } from '../approvals/call-approvals.js';
import { createRequestApproval, type RequestApprovalParts } from '../approvals/request-approval.js';
import { createRunOnce } from '../approvals/run-once.js';
import { createRunWithApproval } from '../approvals/run-with-approval.js';
import type { Storage } from '../storage/storage.js';

interface ApprovalsParts extends Omit<RequestApprovalParts, 'expiry' | 'storage'> {
  readonly storage: Pick<Storage, 'accounts' | 'callApprovals'>;
  /** Base URL under which users' browsers reach the service, without a trailing slash. */
  readonly environmentUrl: string;
}

/** Creates the components by which a person approves or denies a tool call before it runs. */
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
    runWithApproval: createRunWithApproval({ requestApproval, runOnce, approvalLinks, vault }),
    expireOverdue: expiry.expireOverdue,
  };
}

export type Approvals = ReturnType<typeof createApprovals>;
