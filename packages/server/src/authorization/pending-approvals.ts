import type { WaitingTokens } from '../connections/remove-account.js';
import { newId, newToken, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { PendingApprovalRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { SecretLocation, Vault } from '../vault/vault.js';
import type { ApprovalParts } from './approval.js';
import { approvalIsOver } from './consume-flow.js';
import type { DiscardTokens } from './discard-tokens.js';
import type { Granted } from './granted.js';
import { checkSubject } from './save-tokens.js';

export interface PendingApprovalsParts extends ApprovalParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts' | 'pendingApprovals'>;
  readonly discardTokens: DiscardTokens;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

/** Tokens that wait, apart from the account, until the application has said whose they are (rules O4 and O5). */
export interface PendingApprovals extends WaitingTokens {
  /** Gives the id of the verification. Throws conflict when the tokens are another user's than the account's. */
  keep(granted: Granted, successUrl: string | null): Promise<string>;
  /** What can still be verified by this application. */
  find(applicationId: string, authRequestId: string): Promise<PendingApprovalRow | undefined>;
  /** Its tokens, decrypted. */
  open(pending: PendingApprovalRow): Promise<Granted>;
  /** Deletes it, ends its tokens and tells the audit log why. */
  refuse(pending: PendingApprovalRow, reason: string): Promise<void>;
  /** Refuses what was not verified in time. */
  expire(): Promise<void>;
}

const LIFE_MS = 10 * 60_000;
const EXPIRED_AT_ONCE = 50;

const tokensPlace = ({
  applicationId,
  id,
}: Pick<PendingApprovalRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'pending_approvals',
  rowId: id,
  column: 'tokens',
});

export const requestDigest = (digest: Digest, authRequestId: string): string =>
  digest('auth request', authRequestId);

export function createPendingApprovals(parts: PendingApprovalsParts): PendingApprovals {
  const { storage, discardTokens, commit, vault, digest, now, random } = parts;

  async function open(pending: PendingApprovalRow): Promise<Granted> {
    const tokens = await vault.open(tokensPlace(pending), pending.tokens);
    return { ...pending, tokens: JSON.parse(tokens.reveal()) };
  }

  async function refuse(pending: PendingApprovalRow, reason: string): Promise<void> {
    const { applicationId, accountId, id } = pending;
    // What cannot be decrypted any more cannot be revoked, and is deleted all the same.
    const granted = await open(pending).catch(() => undefined);
    const taken = await commit(async ({ pendingApprovals, accounts }, tell) => {
      if (!(await pendingApprovals.take(applicationId, id))) return false;
      const others = await pendingApprovals.ofAccount(applicationId, accountId);
      const change = { from: 'pending_verification', to: 'unauthorized', now: now() } as const;
      if (others.length === 0) await accounts.setStatus({ applicationId, id: accountId }, change);
      const object = accountId;
      tell({ action: 'account.verification_refused', applicationId, object, result: 'refused', reason });
      return true;
    });
    if (taken && granted) await discardTokens(granted);
  }

  return {
    open,
    refuse,

    async keep({ tokens, ...granted }, successUrl) {
      const { applicationId, accountId } = granted;
      const account = await storage.accounts.find(applicationId, accountId);
      if (!account) throw approvalIsOver();
      await checkSubject(parts, account, granted);
      const [id, authRequestId] = [newId('pend', random), newToken(random)];
      const row: PendingApprovalRow = {
        ...granted,
        id,
        successUrl,
        requestDigest: requestDigest(digest, authRequestId),
        tokens: await vault.seal(tokensPlace({ applicationId, id }), secret(JSON.stringify(tokens))),
        expiresAt: now() + LIFE_MS,
      };
      const change = { from: 'unauthorized', to: 'pending_verification', now: now() } as const;
      await commit(async (tables) => {
        await tables.pendingApprovals.insert(row);
        await tables.accounts.setStatus(account, change);
      });
      return authRequestId;
    },

    find: (applicationId, authRequestId) =>
      storage.pendingApprovals.find({
        applicationId,
        requestDigest: requestDigest(digest, authRequestId),
        now: now(),
      }),

    async expire() {
      for (;;) {
        const expired = await storage.pendingApprovals.expired(now(), EXPIRED_AT_ONCE);
        if (expired.length === 0) return;
        for (const pending of expired) await refuse(pending, 'expired');
      }
    },

    async discardOf({ applicationId, id }) {
      const waiting = await storage.pendingApprovals.ofAccount(applicationId, id);
      for (const pending of waiting) {
        const granted = await open(pending).catch(() => undefined);
        if (granted) await discardTokens(granted);
      }
    },
  };
}
