import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { challengeOf } from '../oauth/challenge.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { scopesMissing } from './account-not-authorized.js';
import { readScopes } from './connection-oauth.js';
import { type Connectors, findConnector } from './connector.js';
import { type Discoveries, resourceAt } from './discoveries.js';
import type { EndAccess } from './end-access.js';
import { findAccount } from './find-account.js';
import type { ResolvedAccount } from './resolved-account.js';

export interface HandleChallengeParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly ending: Pick<EndAccess, 'endAccess'>;
  readonly connectors: Connectors;
  readonly discoveries: Discoveries;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** A response by which an MCP server refuses a call. */
export interface RefusedCall {
  readonly status: number;
  /** Name of the refused operation, such as `tools/call search`. */
  readonly operation: string;
  /** `WWW-Authenticate` of the response. */
  readonly header: string;
}

// Rule O16.
const MOST_STEPS = 2;
const REMEMBERED_MS = 60 * 60_000;
const MOST_REMEMBERED = 10_000;

/** Limits how often one operation of an account may ask for more scopes, so that a server cannot ask users for ever. */
function createStepLimit(now: () => number) {
  const steps = new LRUCache<string, readonly string[]>({
    ...entryLimit(MOST_REMEMBERED),
    ttl: REMEMBERED_MS,
    perf: { now: createMonotonicClock(now) },
  });

  function takeStep(key: string, scopes: readonly string[]): boolean {
    const demand = scopes.toSorted().join(' ');
    const known = steps.get(key) ?? [];
    // A repeated demand is the same step: every call makes it again until the user has opened the link.
    if (known.includes(demand)) return true;
    if (known.length >= MOST_STEPS) return false;
    steps.set(key, [...known, demand]);
    return true;
  }
  return takeStep;
}

export function createHandleChallenge(parts: HandleChallengeParts) {
  const { storage, ending, connectors, discoveries, cache, now } = parts;
  const takeStep = createStepLimit(now);

  /**
   * Forgets the discovered authorization server, which may have changed. Ends the access of an account that has no refresh
   * token, and throws account_not_authorized then.
   */
  async function rejectToken({ applicationId, id, baseUrl, connector }: ResolvedAccount): Promise<void> {
    const found = findConnector(connectors, connector);
    if (found.auth.type !== 'mcp_oauth') return;
    discoveries.forget(resourceAt(baseUrl, found));
    const account = await findAccount(storage, applicationId, id);
    if (account.status !== 'authorized' || account.refreshToken !== null) return;
    await ending.endAccess(account, 'token_refused');
  }

  /** Stores missing scopes for the next link and throws account_not_authorized. Scopes that the account has stay usable. */
  async function demandScopes(
    { applicationId, id }: ResolvedAccount,
    { operation, header }: RefusedCall,
  ): Promise<void> {
    const response = new Response(null, { status: 403, headers: { 'www-authenticate': header } });
    const { error, scopes = [] } = await challengeOf(response);
    if (error !== 'insufficient_scope') return;
    const account = await findAccount(storage, applicationId, id);
    const granted = readScopes(account.scopes);
    // A server that demands scopes which it has granted would demand them for ever.
    if (scopes.every((scope) => granted.includes(scope))) return;
    if (!takeStep(`${id} ${operation}`, scopes)) return;
    const wantedScopes = JSON.stringify([...new Set([...granted, ...scopes])]);
    await storage.accounts.change(account, { wantedScopes, updatedAt: now() });
    cache.drop(id);
    throw scopesMissing(account, scopes);
  }

  /** Handles a 401 or 403 of an MCP server. Throws account_not_authorized if only the user can help. */
  async function handleChallenge(account: ResolvedAccount, refused: RefusedCall): Promise<void> {
    if (refused.status === 401) await rejectToken(account);
    if (refused.status === 403) await demandScopes(account, refused);
  }
  return handleChallenge;
}

export type HandleChallenge = ReturnType<typeof createHandleChallenge>;
