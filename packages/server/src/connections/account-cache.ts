import { createTtlCache, type TtlCache } from '../concurrency/ttl-cache.js';
import type { Secret } from '../secret.js';
import type { Credential } from './credential.js';
import type { ResolvedAccount } from './resolved-account.js';

/** Decrypted credential of an account, with its expiry and refresh times in epoch milliseconds. */
export interface CachedCredential {
  readonly credential: Credential;
  /** Map from the names of the account's secondary credentials to their secrets. */
  readonly secondary: ReadonlyMap<string, Secret>;
  readonly canRefresh: boolean;
  /** Expiry in epoch milliseconds; `undefined` if the upstream reported no expiry. */
  readonly expiresAt: number | undefined;
  readonly refreshAt: number | undefined;
}

/** Caches of the account data that every upstream call needs. The keys are account ids. */
export interface AccountCache {
  readonly credentials: TtlCache<CachedCredential>;
  readonly resolved: TtlCache<ResolvedAccount>;
  /** Removes one account from the caches of this process. Call it after every change of the account in this process. */
  drop(accountId: string): void;
  /**
   * Removes all accounts from the caches of this process. Call it after every change of a connection in this process.
   */
  dropAll(): void;
}

const lengthOfCredential = ({ credential, secondary }: CachedCredential): number =>
  [...secondary.values()].reduce((sum, { length }) => sum + length, credential.secret.length);

const lengthOfTexts = (value: object): number =>
  Object.values(value).reduce<number>((sum, part) => {
    if (typeof part === 'string') return sum + part.length;
    return typeof part === 'object' && part !== null ? sum + lengthOfTexts(part) : sum;
  }, 0);

export function createAccountCache({
  now,
  accountCacheMs: cacheMs,
}: {
  readonly now: () => number;
  /** Lifetime of a cached account in milliseconds. Default: the lifetime of `createTtlCache`. */
  readonly accountCacheMs?: number | undefined;
}): AccountCache {
  const credentials = createTtlCache<CachedCredential>({ now, ttlMs: cacheMs, lengthOf: lengthOfCredential });
  const resolved = createTtlCache<ResolvedAccount>({ now, ttlMs: cacheMs, lengthOf: lengthOfTexts });
  return {
    credentials,
    resolved,
    drop: (accountId) => {
      credentials.drop(accountId);
      resolved.drop(accountId);
    },
    dropAll: () => {
      credentials.clear();
      resolved.clear();
    },
  };
}
