import type { CallApprovalStatus } from '../names/approval-statuses.js';

/** Tool call that needs a person's approval before it runs. */
export interface CallApprovalRow {
  id: string;
  applicationId: string;
  accountId: string;
  /**
   * Digest of caller, account, tool, tool version and input. By it, a repeated tool call finds its approval. After the
   * approval has expired, the row id replaces it.
   */
  callKey: string;
  toolName: string;
  schemaVersion: string;
  toolVersion: string;
  /** Caller of the tool, in the format of `Caller.actor` in caller.ts. */
  caller: string;
  /** Encrypted JSON: the tool input, and the sentence that describes the tool call to the person who decides. */
  question: string;
  status: CallApprovalStatus;
  /** Time when the current status of the approval expires, in milliseconds since 1970. */
  holdsUntil: number;
  createdAt: number;
  /**
   * Person who approved or denied the tool call, in the format of `Caller.actor` in caller.ts. `null` before the
   * decision.
   */
  decidedBy: string | null;
  decidedAt: number | null;
  /** Encrypted text: the reason that the person gave for the decision. */
  reason: string | null;
  /**
   * Id of the execution that ran the approved tool call. `null` until the call runs. An approval allows only one
   * execution.
   */
  executionId: string | null;
  /**
   * Encrypted JSON: the result of the approved tool call. `null` before the call has run, and after the result was
   * deleted.
   */
  result: string | null;
}
