import type { CallApprovalStatus } from '../names/approval-statuses.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { CallApprovalOf } from '../storage/call-approvals-table.js';
import type { SecretLocation } from '../vault/ciphertext.js';

/** A call that waits for a person's decision, or that has one. */
export interface CallApproval {
  readonly id: string;
  readonly status: CallApprovalStatus;
  /** Describes the call to people. */
  readonly sentence: string;
  readonly toolName: string;
  /** The input that runs. Fields whose names say that they hold a secret are hidden. */
  readonly toolInput: unknown;
  readonly accountId: string;
  readonly connectionName: string;
  /** User of the account. */
  readonly identifier: string;
  /** Actor of the caller, as in caller.ts. */
  readonly requestedBy: string;
  readonly createdAt: string;
  /** Expiry of the current status. */
  readonly expiresAt: string;
  readonly decidedBy?: string;
  readonly decidedAt?: string;
  /** Text of the person who decided. */
  readonly reason?: string;
  /** Execution of the one run. */
  readonly executionId?: string;
}

/** The encrypted part of a call. */
export interface FrozenCall {
  readonly sentence: string;
  readonly input: unknown;
}

export const placeOf = (
  { applicationId, id: rowId }: Pick<CallApprovalRow, 'applicationId' | 'id'>,
  column: 'question' | 'reason' | 'answer',
): SecretLocation => ({ applicationId, table: 'call_approvals', rowId, column });

const toTime = (ms: number): string => new Date(ms).toISOString();

export const toCallApproval = (
  row: CallApprovalOf,
  {
    sentence,
    toolInput,
    reason,
  }: Pick<CallApproval, 'sentence' | 'toolInput'> & { readonly reason?: string },
): CallApproval => ({
  id: row.id,
  status: row.status,
  sentence,
  toolName: row.toolName,
  toolInput,
  accountId: row.accountId,
  connectionName: row.connectionName,
  identifier: row.identifier,
  requestedBy: row.caller,
  createdAt: toTime(row.createdAt),
  expiresAt: toTime(row.holdsUntil),
  ...(row.decidedBy !== null && { decidedBy: row.decidedBy }),
  ...(row.decidedAt !== null && { decidedAt: toTime(row.decidedAt) }),
  ...(reason !== undefined && { reason }),
  ...(row.executionId !== null && { executionId: row.executionId }),
});
