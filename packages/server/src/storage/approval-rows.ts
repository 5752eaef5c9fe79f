import type { CallApprovalStatus } from '../names/approval-statuses.js';

/** Tool call that needs a person's approval before it runs. */
export interface CallApprovalRow {
  id: string;
  applicationId: string;
  accountId: string;
  /** Digest by which a repeated call finds its approval, as long as that holds; afterwards the id. */
  callKey: string;
  toolName: string;
  schemaVersion: string;
  toolVersion: string;
  /** Caller, as caller.ts spells it. */
  caller: string;
  /** Encrypted: the input and the sentence that describes it, as JSON. */
  question: string;
  status: CallApprovalStatus;
  /** Expiry of the current status. */
  holdsUntil: number;
  createdAt: number;
  /** Person who decided, as caller.ts spells it; `null` while nobody has. */
  decidedBy: string | null;
  decidedAt: number | null;
  /** Encrypted: the reason that the person gave. */
  reason: string | null;
  /** Execution of the one run. */
  executionId: string | null;
  /** Encrypted: the outcome of the run, as JSON; `null` when none is stored. */
  answer: string | null;
}
