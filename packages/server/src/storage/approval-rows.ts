import type { CallApprovalStatus } from '../names/approval-statuses.js';

/** Tool call that needs a person's approval before it runs. */
export interface CallApprovalRow {
  id: string;
  applicationId: string;
  accountId: string;
  /**
   * Digest of caller, account, tool, versions and input, by which a repeated call finds its approval. Replaced by the
   * row id after expiry.
   */
  callKey: string;
  toolName: string;
  schemaVersion: string;
  toolVersion: string;
  /** Caller of the tool, in the format of `Caller.actor` in caller.ts. */
  caller: string;
  /** Encrypted JSON: the tool input and the sentence that describes the call to the person. */
  question: string;
  status: CallApprovalStatus;
  /** Time when the current status expires, in milliseconds since 1970. */
  holdsUntil: number;
  createdAt: number;
  /** Person who decided, in the format of `Caller.actor` in caller.ts; `null` before the decision. */
  decidedBy: string | null;
  decidedAt: number | null;
  /** Encrypted: the reason that the person gave for the decision. */
  reason: string | null;
  /** Execution that ran the approved call. An approval allows only one execution. */
  executionId: string | null;
  /** Encrypted JSON: the result of the tool call; `null` before the run and after the result is deleted. */
  answer: string | null;
}
