import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { challengeOf } from '../oauth/challenge.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { scopesMissing } from './account-not-authorized.js';
import { readScopes } from './connection-oauth.js';
import { findAccount } from './find-account.js';
import type { ResolvedAccount } from './resolved-account.js';

export interface DemandScopesParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly cache: AccountCache;
  readonly now: () => number;
}

export interface ScopeChallenge {
  /** What was tried, such as `tools/call search`. */
  readonly operation: string;
  /** `WWW-Authenticate` of the 403. */
  readonly header: string;
}

/**
 * Reads the challenge of a 403. When it wants scopes that the account does not have, they are asked for by its next link,
 * and account_not_authorized is thrown; what the account may do already it still may.
 */
export type DemandScopes = (account: ResolvedAccount, challenge: ScopeChallenge) => Promise<void>;

// Rule O16.
const MOST_STEPS = 2;
const REMEMBERED_MS = 60 * 60_000;
const MOST_REMEMBERED = 10_000;

/** Counts the scopes that were asked for by one operation of an account, so that no server has its users approve for ever. */
function createStepLimit(now: () => number) {
  const steps = new LRUCache<string, readonly string[]>({
    ...entryLimit(MOST_REMEMBERED),
    ttl: REMEMBERED_MS,
    perf: { now: createMonotonicClock(now) },
  });
  return (key: string, scopes: readonly string[]): boolean => {
    const demand = scopes.toSorted().join(' ');
    const known = steps.get(key) ?? [];
    // A link that was not used yet is asked for again by every call: that is the same step.
    if (known.includes(demand)) return true;
    if (known.length >= MOST_STEPS) return false;
    steps.set(key, [...known, demand]);
    return true;
  };
}

export function createDemandScopes({ storage, cache, now }: DemandScopesParts): DemandScopes {
  const takeStep = createStepLimit(now);

  return async ({ applicationId, id }, { operation, header }) => {
    const answer = new Response(null, { status: 403, headers: { 'www-authenticate': header } });
    const { error, scopes = [] } = await challengeOf(answer);
    if (error !== 'insufficient_scope') return;
    const account = await findAccount(storage, applicationId, id);
    const granted = readScopes(account.scopes);
    // A server that still wants what it has granted would want it for ever.
    if (scopes.every((scope) => granted.includes(scope))) return;
    if (!takeStep(`${id} ${operation}`, scopes)) return;
    const wantedScopes = JSON.stringify([...new Set([...granted, ...scopes])]);
    await storage.accounts.change(account, { wantedScopes, updatedAt: now() });
    cache.drop(id);
    throw scopesMissing(account, scopes);
  };
}
