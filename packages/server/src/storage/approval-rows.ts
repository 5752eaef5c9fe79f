import type { CallApprovalStatus } from '../names/approval-statuses.js';

/** A call of a tool that a person is asked about before it runs. */
export interface CallApprovalRow {
  id: string;
  applicationId: string;
  accountId: string;
  /** A digest of what makes two calls the same call, as long as what was decided of it holds; afterwards the id. */
  callKey: string;
  toolName: string;
  schemaVersion: string;
  toolVersion: string;
  /** Who asks: see caller.ts. */
  caller: string;
  /** Encrypted: the input and the sentence about it, as JSON. */
  question: string;
  status: CallApprovalStatus;
  /** How long it is that. */
  holdsUntil: number;
  createdAt: number;
  /** See caller.ts; `null` while nobody has decided. */
  decidedBy: string | null;
  decidedAt: number | null;
  /** Encrypted: why, in the words of whoever decided. */
  reason: string | null;
  /** Of the one run. */
  executionId: string | null;
  /** Encrypted: what the run came to, as JSON; `null` when it is not kept. */
  answer: string | null;
}
