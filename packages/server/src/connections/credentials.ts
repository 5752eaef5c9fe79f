import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { Account } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import type { AccountCache, HeldCredential } from './account-cache.js';
import { accountNotAuthorized, credentialMissing } from './account-not-authorized.js';
import type { Credential } from './credential.js';
import { findAccount } from './find-account.js';
import { openCredentials } from './further-credentials.js';
import type { Refresh } from './refresh.js';
import type { ResolvedAccount } from './resolved-account.js';
import { tokenPlace } from './tokens.js';

export interface Credentials {
  /** What `current` would give, when it is at hand. */
  held(account: ResolvedAccount, name?: string): Credential | undefined;
  /**
   * The account's credential, refreshed first when it is about to expire, or its further credential of that name.
   * Throws account_not_authorized or unavailable.
   */
  current(account: ResolvedAccount, name?: string): Promise<Credential>;
  /**
   * A newer credential after the upstream answered 401 to `rejected`; `undefined` when there is none to be had, or it would help no more
   * than this one did.
   * Throws account_not_authorized, connection_not_configured or unavailable when a refresh was tried and failed.
   */
  renew(account: ResolvedAccount, rejected: Credential): Promise<Credential | undefined>;
  /** Takes note that the upstream answered 401 to a credential that `renew` had just given. */
  notHelped(account: ResolvedAccount, renewed: Credential): void;
}

export interface CredentialsParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly refresh: Refresh;
  readonly cache: AccountCache;
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly jitter: () => number;
}

const MINUTE_MS = 60_000;
// What an upstream answers so to may be not allowed to anybody: not every call of it is to cost a token request.
const WITHOUT_HELP_MS = MINUTE_MS;
const MOST_WITHOUT_HELP = 10_000;

// Rule R9, but never in the first half of a short life: a token of 30 s would be refreshed on every call.
function earlyBy(lifeMs: number, jitter: number): number {
  const early = Math.max(MINUTE_MS, Math.min(5 * MINUTE_MS, lifeMs / 10));
  return Math.min(early * (1 + jitter / 5), lifeMs / 2);
}

const isPast = (time: number | undefined, now: number): boolean => time !== undefined && time <= now;
const isOutage = (error: unknown): boolean =>
  error instanceof ServiceError && ['unavailable', 'connection_not_configured'].includes(error.code);

export function createCredentials(parts: CredentialsParts): Credentials {
  const { storage, commit, vault, refresh, cache, now, jitter } = parts;

  const measured = createMonotonicClock(now);
  const withoutHelp = new LRUCache<string, Pick<Credential, 'version'> & { readonly until: number }>(
    entryLimit(MOST_WITHOUT_HELP),
  );

  function helps({ id }: ResolvedAccount, version: number): boolean {
    const known = withoutHelp.get(id);
    return known === undefined || known.version !== version || known.until <= measured();
  }

  async function hold(account: Account): Promise<HeldCredential> {
    const { accessToken, expiresAt, issuedAt, version } = account;
    if (account.status !== 'authorized' || accessToken === null)
      throw accountNotAuthorized(account, 'oauth2');
    const secret = await vault.open(tokenPlace(account, 'access_token'), accessToken);
    return {
      credential: { secret, version },
      further: await openCredentials(vault, account),
      canRefresh: account.refreshToken !== null,
      expiresAt: expiresAt ?? undefined,
      refreshAt: expiresAt === null ? undefined : expiresAt - earlyBy(expiresAt - (issuedAt ?? 0), jitter()),
    };
  }

  const reads = new Map<string, Promise<HeldCredential>>();

  // Joined: after a 401 everybody who used the token asks at once.
  function read({ applicationId, id }: ResolvedAccount): Promise<HeldCredential> {
    const reading = reads.get(id);
    if (reading) return reading;
    const begun = cache.credentials
      .fill(
        async () => hold(await findAccount(storage, applicationId, id)),
        () => id,
      )
      .finally(() => reads.delete(id));
    reads.set(id, begun);
    return begun;
  }

  async function refreshed({ applicationId, id }: ResolvedAccount, version: number): Promise<HeldCredential> {
    const account = await refresh({ applicationId, id, version });
    return cache.credentials.fill(
      () => hold(account),
      () => id,
    );
  }

  // A token that has ended and cannot be renewed: only the user can help, unless that has happened meanwhile.
  async function endAccess({ applicationId, id }: ResolvedAccount, version: number): Promise<HeldCredential> {
    const account = await findAccount(storage, applicationId, id);
    if (account.version > version) return hold(account);
    const ended = { status: 'reauthorization_required', statusReason: 'token_expired' } as const;
    await commit(async (tables, tell) => {
      const changed = await tables.accounts.change(account, {
        ...ended,
        accessToken: null,
        updatedAt: now(),
      });
      const event = { applicationId, object: id, reason: ended.statusReason };
      if (changed) tell({ action: 'account.reauthorization_required', ...event });
    });
    cache.drop(id);
    throw accountNotAuthorized({ ...account, ...ended }, 'oauth2');
  }

  function furtherOf(
    account: ResolvedAccount,
    name: string,
    { credential, further }: HeldCredential,
  ): Credential {
    const secret = further.get(name);
    if (secret === undefined) throw credentialMissing(account, name);
    return { secret, version: credential.version, name };
  }

  return {
    held: (account, name) => {
      const held = cache.credentials.get(account.id);
      if (held === undefined || name !== undefined) return undefined;
      return isPast(held.refreshAt, now()) ? undefined : held.credential;
    },

    async current(account, name) {
      const held = cache.credentials.get(account.id) ?? (await read(account));
      if (name !== undefined) return furtherOf(account, name, held);
      if (!isPast(held.refreshAt, now())) return held.credential;
      const hasEnded = isPast(held.expiresAt, now());
      if (!held.canRefresh) {
        return hasEnded ? (await endAccess(account, held.credential.version)).credential : held.credential;
      }
      try {
        const { credential } = await refreshed(account, held.credential.version);
        return { ...credential, isRenewed: true };
      } catch (error) {
        // Rule R7: an outage of the authorization server does not stop a token that is still good.
        if (hasEnded || !isOutage(error)) throw error;
        return held.credential;
      }
    },

    async renew(account, rejected) {
      const known = cache.credentials.get(account.id);
      const isKnown = known !== undefined && known.credential.version > rejected.version;
      if (!isKnown) cache.drop(account.id);
      const held = isKnown ? known : await read(account);
      const isNewer = held.credential.version > rejected.version;
      if (rejected.name !== undefined) return isNewer ? furtherOf(account, rejected.name, held) : undefined;
      if (isNewer) return held.credential;
      if (!held.canRefresh || !helps(account, held.credential.version)) return undefined;
      // The database may still wait for the very token that was rejected.
      return (await refreshed(account, Math.max(held.credential.version, rejected.version))).credential;
    },

    notHelped: ({ id }, { version }) =>
      void withoutHelp.set(id, { version, until: measured() + WITHOUT_HELP_MS }),
  };
}
