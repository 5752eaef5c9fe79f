import type { Secret } from '../secret.js';
import { createTtlCache, type TtlCache } from '../storage/ttl-cache.js';
import type { Credential } from './credential.js';
import type { ResolvedAccount } from './resolved-account.js';

/** A decrypted credential and the times at which it expires and is renewed, in epoch milliseconds. */
export interface CachedCredential {
  readonly credential: Credential;
  /** Secondary credentials of the account by name. */
  readonly secondary: ReadonlyMap<string, Secret>;
  readonly canRefresh: boolean;
  /** `undefined` if no expiry is known. */
  readonly expiresAt: number | undefined;
  readonly refreshAt: number | undefined;
}

/** Caches of account data that every call needs, by account id. */
export interface AccountCache {
  readonly credentials: TtlCache<CachedCredential>;
  readonly resolved: TtlCache<ResolvedAccount>;
  /** Must be called after every change of an account in this process. */
  drop(accountId: string): void;
  /** Must be called after every change of a connection in this process. */
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
  accountsKeptMs: keptMs,
}: {
  readonly now: () => number;
  /** Lifetime of a cached account. Default: that of `createTtlCache`. */
  readonly accountsKeptMs?: number | undefined;
}): AccountCache {
  const credentials = createTtlCache<CachedCredential>({ now, ttlMs: keptMs, lengthOf: lengthOfCredential });
  const resolved = createTtlCache<ResolvedAccount>({ now, ttlMs: keptMs, lengthOf: lengthOfTexts });
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
