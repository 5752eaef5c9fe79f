import type { Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { PendingConsentRow } from '../storage/authorization-rows.js';
import type { AccountRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { newId, newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { SecretLocation, Vault } from '../vault/vault.js';
import type { PartiesLookup } from './account-parties.js';
import { consentIsOver, VERIFY_LIFE_MS } from './authorization-flow.js';
import type { DiscardTokens } from './discard-tokens.js';
import type { AuthorizedTokens } from './exchange-code.js';
import { NOT_VERIFIED, VERIFYING } from './link-results.js';
import { checkSubject } from './save-tokens.js';

export interface PendingConsentsParts {
  readonly storage: Pick<Storage, 'accounts' | 'pendingConsents'>;
  readonly parties: PartiesLookup;
  readonly discardTokens: DiscardTokens;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

const EXPIRED_AT_ONCE = 50;

const tokensLocation = ({
  applicationId,
  id,
}: Pick<PendingConsentRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'pending_approvals',
  rowId: id,
  column: 'tokens',
});

export const requestDigest = (digest: Digest, authRequestId: string): string =>
  digest('auth request', authRequestId);

/**
 * Creates the store of pending consents. Tokens are kept apart from the account until the application has verified the
 * user who consented. After 10 minutes without a verification, the tokens are discarded (rules O4 and O5 in
 * security-rules.md).
 */
export function createPendingConsents(parts: PendingConsentsParts) {
  const { storage, parties, discardTokens, commit, vault, digest, now, random } = parts;

  /** Decrypts the tokens of a pending consent, which is a consent that the application has not yet verified. */
  async function open(pending: PendingConsentRow): Promise<AuthorizedTokens> {
    const tokens = await vault.open(tokensLocation(pending), pending.tokens);
    return { ...pending, tokens: JSON.parse(tokens.reveal()) };
  }

  /** Deletes the pending consent, revokes its tokens and writes the reason to the audit log. */
  async function refuse(pending: PendingConsentRow, reason: string): Promise<void> {
    const { applicationId, accountId, id } = pending;
    // Tokens that cannot be decrypted cannot be revoked. The pending consent is deleted anyway.
    const authorized = await open(pending).catch(() => undefined);
    const taken = await commit(async ({ pendingConsents, accounts, authorizationLinks }, audit) => {
      if (!(await pendingConsents.take(applicationId, id))) return false;
      const others = await pendingConsents.ofAccount(applicationId, accountId);
      const change = { from: 'pending_verification', to: 'unauthorized', now: now() } as const;
      const outcome = reason === 'expired' ? NOT_VERIFIED : reason;
      await authorizationLinks.end({ applicationId, id: pending.linkId }, { outcome, now: now() });
      if (others.length === 0) await accounts.setStatus({ applicationId, id: accountId }, change);
      const object = accountId;
      audit({
        action: 'account.verification_refused',
        applicationId,
        object,
        result: 'refused',
        reason,
      });
      return true;
    });
    if (taken && authorized) await discardTokens(authorized);
  }

  /**
   * Stores the tokens as a pending consent and returns its id for the application. Throws conflict if the tokens belong
   * to another upstream user than the account.
   */
  async function store(
    { tokens, ...authorized }: AuthorizedTokens,
    link: Pick<PendingConsentRow, 'linkId' | 'successUrl' | 'applicationState'>,
  ): Promise<string> {
    const { applicationId, accountId } = authorized;
    const account = await storage.accounts.find(applicationId, accountId);
    if (!account) throw consentIsOver();
    await checkSubject(parties, account, authorized);
    const [id, authRequestId] = [newId('pend', random), newToken(random)];
    const row: PendingConsentRow = {
      ...authorized,
      ...link,
      id,
      requestDigest: requestDigest(digest, authRequestId),
      tokens: await vault.seal(tokensLocation({ applicationId, id }), secret(JSON.stringify(tokens))),
      expiresAt: now() + VERIFY_LIFE_MS,
    };
    const change = { from: 'unauthorized', to: 'pending_verification', now: now() } as const;
    await commit(async (tables, audit) => {
      await tables.pendingConsents.insert(row);
      await tables.accounts.setStatus(account, change);
      const used = { applicationId, id: link.linkId };
      // A revocation of the account deletes its links. It must also end a consent that has already reached the service.
      if (!(await tables.authorizationLinks.end(used, { outcome: VERIFYING, now: now() })))
        throw consentIsOver();
      audit({ action: 'account.pending_verification', applicationId, object: accountId });
    });
    return authRequestId;
  }

  /** Finds a pending consent by its id. Returns `undefined` unless this application can still verify the consent. */
  function find(applicationId: string, authRequestId: string): Promise<PendingConsentRow | undefined> {
    return storage.pendingConsents.find({
      applicationId,
      requestDigest: requestDigest(digest, authRequestId),
      now: now(),
    });
  }

  /** Refuses all pending consents that the application did not verify within 10 minutes. */
  async function expire(): Promise<void> {
    for (;;) {
      const expired = await storage.pendingConsents.expired(now(), EXPIRED_AT_ONCE);
      if (expired.length === 0) return;
      for (const pending of expired) await refuse(pending, 'expired');
    }
  }

  /**
   * Ends all consents of an account, because the account is about to lose its access. Revokes the tokens of its pending
   * consents.
   */
  async function discardOf(account: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> {
    const { applicationId, id } = account;
    // Deletes the links first. This waits for consents that are being stored, and no other consent can follow.
    await commit(async ({ authorizationFlows, authorizationLinks }) => {
      await authorizationLinks.deleteOf(account);
      await authorizationFlows.deleteOf(account);
    });
    const waiting = await storage.pendingConsents.ofAccount(applicationId, id);
    for (const pending of waiting) {
      const authorized = await open(pending).catch(() => undefined);
      if (authorized) await discardTokens(authorized);
    }
  }

  return { open, refuse, store, find, expire, discardOf };
}

export type PendingConsents = ReturnType<typeof createPendingConsents>;
