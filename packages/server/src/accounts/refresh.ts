import type { OAuth, Tokens } from '../oauth/oauth.js';
import type { Account } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountLock } from './account-lock.js';
import type { DescribeOAuth } from './connection-oauth.js';
import { findConnectionOf } from './find-account.js';
import {
  createRefreshFailure,
  type RefreshFailureParts,
  readUsable,
  refreshKey,
  refreshUnavailable,
  type StaleAccount,
} from './refresh-failure.js';
import { sealTokens, tokenPlace } from './tokens.js';
import type { Vault } from './vault.js';

export interface RefreshParts extends RefreshFailureParts {
  readonly vault: Vault;
  readonly describeOAuth: DescribeOAuth;
  readonly oauth: OAuth;
  readonly lock: AccountLock;
}

/** Gives the account in a version above the stale one. Throws account_not_authorized, connection_not_configured or unavailable. */
export type Refresh = (stale: StaleAccount) => Promise<Account>;

async function takeMarkAway(
  { connections }: Pick<Storage, 'connections'>,
  connection: ConnectionRow,
): Promise<void> {
  if (connection.statusReason === null) return;
  await connections.update(connection.applicationId, connection.id, { statusReason: null });
}

/** One token request for each version of an account, however many ask for it. */
export function createRefresh(parts: RefreshParts): Refresh {
  const { storage, vault, describeOAuth, oauth, lock, backoff, cache, now } = parts;
  const flights = new Map<string, Promise<Account>>();
  const handleFailure = createRefreshFailure(parts);

  async function commit(account: Account, tokens: Tokens): Promise<Account> {
    const sealed = await sealTokens(vault, account, { tokens, now: now() });
    const changed = await storage.accounts.change(account, sealed);
    cache.drop(account.id);
    return changed ? { ...account, ...changed } : readUsable(storage, account);
  }

  // Rule R3: intent, request, commit, and nothing else in between.
  async function requestTokens(account: Account, refreshToken: string): Promise<Account> {
    const connection = await findConnectionOf(storage, account);
    const { server, client } = describeOAuth(connection);
    const named = await client();
    if (!(await storage.accounts.markRefresh(account, now()))) return readUsable(storage, account);
    const outcome = await oauth.refresh(server, named, refreshToken).catch((error: unknown) => ({ error }));
    if ('error' in outcome) return handleFailure(account, outcome.error);
    const renewed = await commit(account, outcome);
    backoff.succeed(refreshKey(account));
    await takeMarkAway(storage, connection);
    return renewed;
  }

  async function refreshLocked(stale: StaleAccount): Promise<Account> {
    const account = await readUsable(storage, stale);
    if (account.version > stale.version || account.refreshToken === null) return account;
    const wait = backoff.waitOf(refreshKey(account));
    if (wait > 0) throw refreshUnavailable(account, wait);
    const { reveal } = await vault.open(tokenPlace(account, 'refresh_token'), account.refreshToken);
    return requestTokens(account, reveal());
  }

  return (stale) => {
    const key = refreshKey(stale);
    const flying = flights.get(key);
    if (flying) return flying;
    const flight = lock(stale.id, () => refreshLocked(stale)).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
