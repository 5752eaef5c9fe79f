import type { CurrentCaller } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import { canonicalJson } from '../text/canonical-json.js';
import { newId, type Random } from '../text/random.js';
import type { ReadyCall } from '../tools/execute.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';
import type { ApprovalExpiry } from './approval-expiry.js';
import { callApprovalLocation, type FrozenCall } from './call-approval.js';
import { describeCall } from './describe-call.js';
import { toNamedObject } from './named-object.js';

export interface RequestApprovalParts {
  readonly storage: Pick<Storage, 'callApprovals'>;
  readonly expiry: ApprovalExpiry;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly caller: CurrentCaller;
  /** Map from a connector's id to its title, which the description of the call shows. */
  readonly connectors: ReadonlyMap<string, { readonly title: string }>;
  readonly now: () => number;
  readonly random: Random;
}

/**
 * Returns an HMAC of a tool call, by which a repeated call finds its approval. An HMAC instead of a plain hash, because
 * a reader of the database could hash likely tool inputs until one matches. The HMAC key is stored encrypted.
 */
function callKeyOf(digest: Digest, caller: string, { account, tool, version, input }: ReadyCall): string {
  const { schema_version: schemaVersion, tool_version: toolVersion } = version;
  return digest(
    'call that waits for approval',
    canonicalJson([caller, account.id, tool.name, schemaVersion, toolVersion, input]),
  );
}

/** Milliseconds within which a person must approve or deny a pending call. Afterwards the approval expires. */
const WAITS_MS = 15 * 60_000;
const MAX_INPUT_BYTES = 256 * 1024;
/**
 * Maximum number of pending approvals per application. The limits per user and per caller below are lower, so that no
 * user or caller can use up the application's limit.
 */
export const MAX_WAITING = 200;
export const MAX_PER_USER = 60;
export const MAX_PER_CALLER = 20;

const tooLarge = () =>
  new ServiceError(
    'payload_too_large',
    `The input is larger than the maximum of ${MAX_INPUT_BYTES / 1024} KiB for a call that needs approval. Nothing ran. Send less data.`,
  );

const tooMany = (most: number, subject: string) =>
  new ServiceError(
    'rate_limited',
    `${most} calls of ${subject} already wait for approval, and no more may wait. Nothing ran. Ask a person to decide some of them, then retry.`,
    { retryAfter: 60, limit: 'approvals' },
  );

/**
 * Throws rate_limited if too many approvals are pending. Locks the application's row, because concurrent requests could
 * otherwise exceed the limits.
 */
async function checkLimits(
  { applications, callApprovals }: Tables,
  { applicationId, caller }: CallApprovalRow,
  { identifier }: ReadyCall['account'],
): Promise<void> {
  await applications.lock(applicationId);
  const waiting = await callApprovals.callersOfPending(applicationId);
  if (waiting.length >= MAX_WAITING) throw tooMany(MAX_WAITING, 'this application');
  if (waiting.filter((other) => other.caller === caller).length >= MAX_PER_CALLER)
    throw tooMany(MAX_PER_CALLER, 'this caller');
  if (waiting.filter((other) => other.identifier === identifier).length >= MAX_PER_USER)
    throw tooMany(MAX_PER_USER, 'this user');
}

const UNDECIDED = { decidedBy: null, decidedAt: null, reason: null, executionId: null, result: null };

export function createRequestApproval(parts: RequestApprovalParts) {
  const { storage, expiry, commit, vault, digest, caller, connectors, now, random } = parts;

  async function toRow(ready: ReadyCall, key: Pick<CallApprovalRow, 'caller' | 'callKey'>) {
    const { tool, account, version, input } = ready;
    const { applicationId, id: accountId } = account;
    const id = newId('appr', random);
    const connectorTitle = connectors.get(tool.connector)?.title ?? tool.connector;
    const found = await ready.object?.find();
    const object = ready.object && found && toNamedObject(ready.object.id, found);
    const sentence = describeCall({ title: tool.title, connectorTitle, input, object });
    const frozen = JSON.stringify({ sentence, input, object } satisfies FrozenCall);
    if (Buffer.byteLength(frozen) > MAX_INPUT_BYTES) throw tooLarge();
    const time = now();
    return {
      ...key,
      ...UNDECIDED,
      id,
      applicationId,
      accountId,
      toolName: tool.name,
      schemaVersion: version.schema_version,
      toolVersion: version.tool_version,
      question: await vault.seal(callApprovalLocation({ applicationId, id }, 'question'), secret(frozen)),
      status: 'pending',
      holdsUntil: time + WAITS_MS,
      createdAt: time,
    } satisfies CallApprovalRow;
  }

  /**
   * Stores a new approval, which replaces an expired approval of the identical call. Resolves to false if a concurrent
   * request has stored one first.
   */
  function insert(
    row: CallApprovalRow,
    { account }: ReadyCall,
    expired: CallApprovalRow | undefined,
  ): Promise<boolean> {
    return commit(async (tables, audit) => {
      await checkLimits(tables, row, account);
      if (expired) await tables.callApprovals.releaseKey(expired);
      const isInserted = await tables.callApprovals.insert(row);
      const { applicationId, id: object, toolName: reason } = row;
      if (isInserted) audit({ action: 'approval.requested', applicationId, object, reason });
      return isInserted;
    });
  }

  /** Returns the valid approval of an identical earlier call, or stores a new pending approval. */
  async function requestApproval(ready: ReadyCall): Promise<CallApprovalRow> {
    const { applicationId } = ready.account;
    const { actor } = caller();
    const callKey = callKeyOf(digest, actor, ready);
    for (;;) {
      const stored = await storage.callApprovals.findByCall(applicationId, callKey);
      const row = stored && (await expiry.refresh(stored));
      if (row && row.holdsUntil > now()) return row;
      const requested = await toRow(ready, { caller: actor, callKey });
      if (await insert(requested, ready, row)) return requested;
    }
  }

  return requestApproval;
}

export type RequestApproval = ReturnType<typeof createRequestApproval>;
