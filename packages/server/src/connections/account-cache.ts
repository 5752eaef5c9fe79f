import type { Secret } from '../secret.js';
import { createTtlCache, type TtlCache } from '../storage/ttl-cache.js';
import type { Credential } from './credential.js';
import type { ResolvedAccount } from './resolved-account.js';

/** A decrypted credential and when it must be replaced. */
export interface HeldCredential {
  readonly credential: Credential;
  /** The account's further credentials by their names. */
  readonly further: ReadonlyMap<string, Secret>;
  readonly canRefresh: boolean;
  /** `undefined` when it is not known to expire. */
  readonly expiresAt: number | undefined;
  readonly refreshAt: number | undefined;
}

/** What calls need of an account again and again, by its id. */
export interface AccountCache {
  readonly credentials: TtlCache<HeldCredential>;
  readonly resolved: TtlCache<ResolvedAccount>;
  /** Must be called after every change of an account in this process. */
  drop(accountId: string): void;
  /** Must be called after every change of a connection in this process. */
  dropAll(): void;
}

const lengthOfCredential = ({ credential, further }: HeldCredential): number =>
  [...further.values()].reduce((sum, { length }) => sum + length, credential.secret.length);

const lengthOfTexts = (value: object): number =>
  Object.values(value).reduce<number>((sum, part) => {
    if (typeof part === 'string') return sum + part.length;
    return typeof part === 'object' && part !== null ? sum + lengthOfTexts(part) : sum;
  }, 0);

export interface AccountCacheParts {
  readonly now: () => number;
  /** How long an account is good without another look at the database. */
  readonly accountsKeptMs?: number | undefined;
}

export function createAccountCache({ now, accountsKeptMs: keptMs }: AccountCacheParts): AccountCache {
  const credentials = createTtlCache<HeldCredential>({ now, ttlMs: keptMs, lengthOf: lengthOfCredential });
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
