import { parseJson } from '@svc/catalog';
import type { CallApprovalStatus } from '../names/approval-statuses.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { CallApprovalOf } from '../storage/call-approvals-table.js';
import type { SecretLocation } from '../vault/ciphertext.js';
import type { Vault } from '../vault/vault.js';
import type { NamedObject } from './named-object.js';

/** Approval of a tool call: the call, its status, and the decision of a person. */
export interface CallApproval {
  readonly id: string;
  readonly status: CallApprovalStatus;
  /** Description of the tool call in one sentence, for the person who approves or denies it. */
  readonly sentence: string;
  readonly toolName: string;
  /** Tool input of the call. Values of properties whose names suggest a secret, such as `password`, are hidden. */
  readonly toolInput: unknown;
  /**
   * Object at the upstream whose id the tool input contains. Absent if the input contains no such id, or if the object
   * could not be read.
   */
  readonly object?: NamedObject;
  readonly accountId: string;
  readonly connectionName: string;
  /** Identifier of the user to whom the connected account belongs. */
  readonly identifier: string;
  /** Label of the account. Absent without a label. */
  readonly account?: string;
  /** Caller that requested the call: an application id, or `token:<id>` for the bearer of an access token. */
  readonly requestedBy: string;
  readonly createdAt: string;
  /** Time at which the current status of the approval expires, in ISO 8601. */
  readonly expiresAt: string;
  readonly decidedBy?: string;
  readonly decidedAt?: string;
  /** Reason that the person gave for approving or denying the call. */
  readonly reason?: string;
  /** Id of the tool execution that ran the approved call. Absent before the call runs. */
  readonly executionId?: string;
}

/**
 * Tool call that waits for approval, as it is stored. It is stored encrypted, because the tool input may be
 * confidential.
 */
export interface FrozenCall {
  readonly sentence: string;
  readonly input: unknown;
  readonly object?: NamedObject | undefined;
}

export const callApprovalLocation = (
  { applicationId, id: rowId }: Pick<CallApprovalRow, 'applicationId' | 'id'>,
  column: 'question' | 'reason' | 'result',
): SecretLocation => ({ applicationId, table: 'call_approvals', rowId, column });

/** Decrypts the tool call of an approval. The cast is safe, because only `request-approval.ts` writes the column. */
export async function openCall(
  vault: Vault,
  row: Pick<CallApprovalRow, 'applicationId' | 'id' | 'question'>,
): Promise<FrozenCall> {
  const { reveal } = await vault.open(callApprovalLocation(row, 'question'), row.question);
  return parseJson(reveal()) as FrozenCall;
}

const toTime = (ms: number): string => new Date(ms).toISOString();

export const toCallApproval = (
  row: CallApprovalOf,
  {
    sentence,
    toolInput,
    object,
    reason,
  }: Pick<CallApproval, 'sentence' | 'toolInput' | 'object'> & { readonly reason?: string },
): CallApproval => ({
  id: row.id,
  status: row.status,
  sentence,
  toolName: row.toolName,
  toolInput,
  ...(object && { object }),
  accountId: row.accountId,
  connectionName: row.connectionName,
  identifier: row.identifier,
  ...(row.account !== '' && { account: row.account }),
  requestedBy: row.caller,
  createdAt: toTime(row.createdAt),
  expiresAt: toTime(row.holdsUntil),
  ...(row.decidedBy !== null && { decidedBy: row.decidedBy }),
  ...(row.decidedAt !== null && { decidedAt: toTime(row.decidedAt) }),
  ...(reason !== undefined && { reason }),
  ...(row.executionId !== null && { executionId: row.executionId }),
});
