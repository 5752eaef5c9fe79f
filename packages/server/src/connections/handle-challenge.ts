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
import { findAccount } from './find-account.js';
import type { ResolvedAccount } from './resolved-account.js';

export interface HandleChallengeParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly connectors: Connectors;
  readonly discoveries: Discoveries;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** Response with status 401 or 403 of an MCP server to a JSON-RPC request. */
export interface RefusedCall {
  readonly status: number;
  /** JSON-RPC method and tool of the refused call, such as `tools/call search`. */
  readonly operation: string;
  /** Value of the response's `WWW-Authenticate` header. */
  readonly header: string;
  /** Ends the account's access, unless the account has a newer credential than the refused one or can refresh it. */
  readonly endAccess?: ((advice: string | undefined) => Promise<void>) | undefined;
}

// Maximum number of times per hour that an MCP server may demand other scopes for the same tool and account. Otherwise
// a server could ask the user for consent again and again (rule O16 in security-rules.md).
const MAX_STEPS = 2;
const REMEMBERED_MS = 60 * 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Creates a limit for demands for more scopes: `MAX_STEPS` per hour for each tool and account, so that a server cannot
 * ask users for ever.
 */
function createStepLimit(now: () => number) {
  const steps = new LRUCache<string, readonly string[]>({
    ...entryLimit(MAX_REMEMBERED),
    ttl: REMEMBERED_MS,
    perf: { now: createMonotonicClock(now) },
  });

  function takeStep(key: string, scopes: readonly string[]): boolean {
    const demand = scopes.toSorted().join(' ');
    const known = steps.get(key) ?? [];
    // The upstream demands the same scopes at every call until the user consents. A repeated demand does not count
    // against `MAX_STEPS`.
    if (known.includes(demand)) return true;
    if (known.length >= MAX_STEPS) return false;
    steps.set(key, [...known, demand]);
    return true;
  }
  return takeStep;
}

export function createHandleChallenge(parts: HandleChallengeParts) {
  const { storage, connectors, discoveries, cache, now } = parts;
  const takeStep = createStepLimit(now);

  /**
   * Handles a response with 401 of an MCP server. Removes its authorization server from the cache, because it may have
   * changed. Ends the account's access and throws account_not_authorized if the account has no refresh token.
   */
  async function rejectToken(
    { baseUrl, connector }: ResolvedAccount,
    { endAccess }: RefusedCall,
  ): Promise<void> {
    const definition = findConnector(connectors, connector);
    if (definition.auth.type !== 'mcp_oauth') return;
    discoveries.forget(resourceAt(baseUrl, definition));
    await endAccess?.(undefined);
  }

  /**
   * Handles a response with 403 and `insufficient_scope` of an MCP server. Stores the missing scopes for the next
   * authorization link and throws account_not_authorized. The account can still be used with its present scopes.
   */
  async function demandScopes(
    { applicationId, id }: ResolvedAccount,
    { operation, header }: RefusedCall,
  ): Promise<void> {
    const response = new Response(null, { status: 403, headers: { 'www-authenticate': header } });
    const { error, scopes = [] } = await challengeOf(response);
    if (error !== 'insufficient_scope') return;
    const account = await findAccount(storage, applicationId, id);
    const granted = readScopes(account.scopes);
    // A demand for scopes that the user has already granted is ignored, because the server would repeat it after every
    // consent.
    if (scopes.every((scope) => granted.includes(scope))) return;
    if (!takeStep(`${id} ${operation}`, scopes)) return;
    const wantedScopes = JSON.stringify([...new Set([...granted, ...scopes])]);
    await storage.accounts.change(account, { wantedScopes, updatedAt: now() });
    cache.drop(id);
    throw scopesMissing(account, scopes);
  }

  /** Handles a 401 or 403 of an MCP server. Throws account_not_authorized if the user has to consent again. */
  async function handleChallenge(account: ResolvedAccount, refused: RefusedCall): Promise<void> {
    if (refused.status === 401) await rejectToken(account, refused);
    if (refused.status === 403) await demandScopes(account, refused);
  }
  return handleChallenge;
}

export type HandleChallenge = ReturnType<typeof createHandleChallenge>;
