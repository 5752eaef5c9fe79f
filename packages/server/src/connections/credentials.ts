import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { ServiceError } from '../errors.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import type { AccountCache, CachedCredential } from './account-cache.js';
import { accountNotAuthorized, credentialMissing } from './account-not-authorized.js';
import { type Connectors, findConnector } from './connector.js';
import type { Credential } from './credential.js';
import type { EndAccess } from './end-access.js';
import { findAccount } from './find-account.js';
import type { Refresh } from './refresh.js';
import type { ResolvedAccount } from './resolved-account.js';
import { openCredentials } from './secondary-credentials.js';
import { tokenLocation } from './token-columns.js';

export interface CredentialsParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly connectors: Connectors;
  readonly vault: Vault;
  readonly refresh: Refresh;
  readonly endAccess: EndAccess;
  readonly cache: AccountCache;
  readonly now: () => number;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly jitter: () => number;
}

const MINUTE_MS = 60_000;
// Milliseconds for which an account's token is not refreshed again after a refreshed token also got 401. Some upstreams
// respond 401 to calls that no token allows, and each such call would cause a token request.
const UNHELPFUL_MS = MINUTE_MS;
const MAX_UNHELPFUL = 10_000;

// Returns how many milliseconds before its expiry a token is refreshed (rule R9 in security-rules.md). It is at most
// half of the token's lifetime, because a token of 30 s would otherwise be refreshed on every call.
function earlyBy(lifeMs: number, jitter: number): number {
  const early = Math.max(MINUTE_MS, Math.min(5 * MINUTE_MS, lifeMs / 10));
  return Math.min(early * (1 + jitter / 5), lifeMs / 2);
}

const isPast = (time: number | undefined, now: number): boolean => time !== undefined && time <= now;
const isOutage = (error: unknown): boolean =>
  error instanceof ServiceError && ['unavailable', 'connection_not_configured'].includes(error.code);

export function createCredentials(parts: CredentialsParts) {
  const { storage, connectors, vault, refresh, endAccess, cache, now, jitter } = parts;

  const elapsed = createMonotonicClock(now);
  const unhelpful = new LRUCache<string, Pick<Credential, 'version'> & { readonly until: number }>(
    entryLimit(MAX_UNHELPFUL),
  );

  function helps({ id }: ResolvedAccount, version: number): boolean {
    const known = unhelpful.get(id);
    return known === undefined || known.version !== version || known.until <= elapsed();
  }

  async function toCached(account: StoredAccount): Promise<CachedCredential> {
    const { accessToken, expiresAt, issuedAt, version } = account;
    if (account.status !== 'authorized' || accessToken === null)
      throw accountNotAuthorized(account, findConnector(connectors, account.connector).auth.type);
    const secret = await vault.open(tokenLocation(account, 'access_token'), accessToken);
    return {
      credential: { secret, version },
      secondary: await openCredentials(vault, account),
      canRefresh: account.refreshToken !== null,
      expiresAt: expiresAt ?? undefined,
      refreshAt: expiresAt === null ? undefined : expiresAt - earlyBy(expiresAt - (issuedAt ?? 0), jitter()),
    };
  }

  const reads = new Map<string, Promise<CachedCredential>>();

  /**
   * Reads an account's credential from the database. Concurrent callers share one read, because after a 401 all calls
   * with the token read at once.
   */
  function read({ applicationId, id }: ResolvedAccount): Promise<CachedCredential> {
    const reading = reads.get(id);
    if (reading) return reading;
    const begun = cache.credentials
      .fill(
        async () => toCached(await findAccount(storage, applicationId, id)),
        () => id,
      )
      .finally(() => reads.delete(id));
    reads.set(id, begun);
    return begun;
  }

  async function refreshAndCache(
    { applicationId, id }: ResolvedAccount,
    version: number,
  ): Promise<CachedCredential> {
    const account = await refresh({ applicationId, id, version });
    return cache.credentials.fill(
      () => toCached(account),
      () => id,
    );
  }

  async function endExpired(account: ResolvedAccount, { version }: Credential): Promise<CachedCredential> {
    return toCached(await endAccess.endUnlessRenewed({ ...account, version }, 'token_expired'));
  }

  function secondaryOf(
    account: ResolvedAccount,
    name: string,
    { credential, secondary }: CachedCredential,
  ): Credential {
    const secret = secondary.get(name);
    if (secret === undefined) throw credentialMissing(account, name);
    return { secret, version: credential.version, name };
  }

  /**
   * Returns the account's cached main credential without waiting. Returns `undefined` if it is not cached, or has to
   * be refreshed first.
   */
  function cached(account: ResolvedAccount, name?: string): Credential | undefined {
    const known = cache.credentials.get(account.id);
    if (known === undefined || name !== undefined) return undefined;
    return isPast(known.refreshAt, now()) ? undefined : known.credential;
  }

  /**
   * Returns the account's main credential, and refreshes it first if it is about to expire. With `name`, returns
   * that secondary credential. Throws account_not_authorized or unavailable.
   */
  async function current(account: ResolvedAccount, name?: string): Promise<Credential> {
    const known = cache.credentials.get(account.id) ?? (await read(account));
    if (name !== undefined) return secondaryOf(account, name, known);
    if (!isPast(known.refreshAt, now())) return known.credential;
    const hasExpired = isPast(known.expiresAt, now());
    if (!known.canRefresh) {
      return hasExpired ? (await endExpired(account, known.credential)).credential : known.credential;
    }
    try {
      const { credential } = await refreshAndCache(account, known.credential.version);
      return { ...credential, isRenewed: true };
    } catch (error) {
      // A token that has not expired yet is used even if the authorization server is down (rule R7 in
      // security-rules.md).
      if (hasExpired || !isOutage(error)) throw error;
      return known.credential;
    }
  }

  /**
   * Returns a newer credential after the upstream responded 401 to `rejected`. Returns `undefined` if no newer one
   * exists, or if a refreshed one recently got 401 too. Throws account_not_authorized, connection_not_configured or
   * unavailable if a refresh fails.
   */
  async function renew(account: ResolvedAccount, rejected: Credential): Promise<Credential | undefined> {
    const known = cache.credentials.get(account.id);
    const isKnown = known !== undefined && known.credential.version > rejected.version;
    if (!isKnown) cache.drop(account.id);
    const current = isKnown ? known : await read(account);
    const isNewer = current.credential.version > rejected.version;
    if (rejected.name !== undefined)
      return isNewer ? secondaryOf(account, rejected.name, current) : undefined;
    if (isNewer) return current.credential;
    if (!current.canRefresh || !helps(account, current.credential.version)) return undefined;
    // The rejected token may be newer than the database row, because new tokens can still wait to be stored. The higher
    // version of the account is therefore refreshed.
    return (await refreshAndCache(account, Math.max(current.credential.version, rejected.version)))
      .credential;
  }

  /**
   * Records that the upstream responded 401 even to a refreshed credential. Further refreshes of the account then
   * pause.
   */
  function notHelped({ id }: ResolvedAccount, { version }: Credential): void {
    unhelpful.set(id, { version, until: elapsed() + UNHELPFUL_MS });
  }

  /**
   * Ends the account's access after the upstream refused the credential permanently, according to the connector's error
   * rules. Does nothing if the account has a newer credential or can refresh it. Otherwise throws
   * account_not_authorized.
   */
  async function end(account: ResolvedAccount, { version }: Credential, advice?: string): Promise<void> {
    await endAccess.endRefused({ ...account, version }, advice);
  }

  return { cached, current, renew, notHelped, end };
}

export type Credentials = ReturnType<typeof createCredentials>;
