import type { CurrentCaller } from '../caller.js';
import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import { secret } from '../secret.js';
import type { CallApprovalRow } from '../storage/approval-rows.js';
import type { Tables } from '../storage/storage.js';
import type { ReadyCall } from '../tools/ask-first.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';
import { placeOf } from './call-approval.js';
import { callKeyOf } from './call-key.js';
import { sayCall } from './say-call.js';
import type { Settle, SettleParts } from './settle.js';

export interface QuestionParts extends SettleParts {
  readonly settle: Settle;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly caller: CurrentCaller;
  /** By the ids of connectors, how people call them. */
  readonly connectors: ReadonlyMap<string, { readonly title: string }>;
  readonly random: Random;
}

/** How long a person has to decide. */
const WAITS_MS = 15 * 60_000;
const MOST_INPUT = 256 * 1024;
/** In the inbox of one application, of which neither one caller nor one user, who gets tokens as often as they sign in, fills more. */
export const MOST_WAITING = 200;
export const MOST_OF_USER = 60;
export const MOST_OF_CALLER = 20;

const tooLarge = () =>
  new ServiceError(
    'payload_too_large',
    `A call that waits for a person may have ${MOST_INPUT / 1024} KiB of input; nothing ran.`,
  );

const tooMany = (most: number, whose: string) =>
  new ServiceError(
    'rate_limited',
    `${most} calls of ${whose} wait for a person already, and so many may; nothing ran. Try again when some are decided.`,
    { retryAfter: 60, limit: 'approvals' },
  );

// The row of the application is held, so that they are counted one after the other.
async function checkPlace(
  { applications, callApprovals }: Tables,
  { applicationId, caller }: CallApprovalRow,
  { identifier }: ReadyCall['account'],
): Promise<void> {
  await applications.lock(applicationId);
  const waiting = await callApprovals.callersOfPending(applicationId);
  if (waiting.length >= MOST_WAITING) throw tooMany(MOST_WAITING, 'this application');
  if (waiting.filter((other) => other.caller === caller).length >= MOST_OF_CALLER)
    throw tooMany(MOST_OF_CALLER, 'this caller');
  if (waiting.filter((other) => other.identifier === identifier).length >= MOST_OF_USER)
    throw tooMany(MOST_OF_USER, 'this user');
}

const NOTHING = { decidedBy: null, decidedAt: null, reason: null, executionId: null, answer: null };

/** Finds what was asked about a call, or asks it. */
export function createQuestion(parts: QuestionParts) {
  const { storage, settle, commit, vault, digest, caller, connectors, now, random } = parts;

  async function toRow(ready: ReadyCall, known: Pick<CallApprovalRow, 'caller' | 'callKey'>) {
    const { tool, account, version, input } = ready;
    const { applicationId, id: accountId } = account;
    const id = newId('appr', random);
    const connectorTitle = connectors.get(tool.connector)?.title ?? tool.connector;
    const sentence = sayCall({ title: tool.title, connectorTitle, input });
    const frozen = JSON.stringify({ sentence, input });
    if (Buffer.byteLength(frozen) > MOST_INPUT) throw tooLarge();
    const time = now();
    return {
      ...known,
      ...NOTHING,
      id,
      applicationId,
      accountId,
      toolName: tool.name,
      schemaVersion: version.schema_version,
      toolVersion: version.tool_version,
      question: await vault.seal(placeOf({ applicationId, id }, 'question'), secret(frozen)),
      status: 'pending',
      holdsUntil: time + WAITS_MS,
      createdAt: time,
    } satisfies CallApprovalRow;
  }

  /** Asks, unless somebody else has asked at the same moment. */
  const ask = (
    row: CallApprovalRow,
    { account }: ReadyCall,
    over: CallApprovalRow | undefined,
  ): Promise<boolean> =>
    commit(async (tables, tell) => {
      await checkPlace(tables, row, account);
      if (over) await tables.callApprovals.releaseKey(over);
      const isAsked = await tables.callApprovals.insert(row);
      const { applicationId, id: object, toolName: reason } = row;
      if (isAsked) tell({ action: 'approval.requested', applicationId, object, reason });
      return isAsked;
    });

  return async function question(ready: ReadyCall): Promise<CallApprovalRow> {
    const { tool, account, version, input } = ready;
    const { applicationId } = account;
    const known = { caller: caller().actor };
    const callKey = callKeyOf(digest, {
      ...known,
      accountId: account.id,
      toolName: tool.name,
      schemaVersion: version.schema_version,
      toolVersion: version.tool_version,
      input,
    });
    for (;;) {
      const held = await storage.callApprovals.findByCall(applicationId, callKey);
      const row = held && (await settle.settle(held));
      if (row && row.holdsUntil > now()) return row;
      const asked = await toRow(ready, { ...known, callKey });
      if (await ask(asked, ready, row)) return asked;
    }
  };
}

export type Question = ReturnType<typeof createQuestion>;
