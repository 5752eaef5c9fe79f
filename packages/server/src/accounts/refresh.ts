import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { OAuth, Tokens } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Account } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { ConnectionOAuth, DescribeOAuth } from './connection-oauth.js';
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
  readonly lock: Lock;
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

type Outcome = Tokens | { readonly error: unknown };

interface Asked {
  readonly outcome: Outcome;
  /** The connection, marked because it registered again. */
  readonly marked?: ConnectionRow;
}

const isClientRefused = (outcome: Outcome): boolean =>
  'error' in outcome && outcome.error instanceof OAuthError && outcome.error.isClientRefused;

// The refresh token was given by another server, and must not be shown to this one.
const anotherIssuer = () =>
  new OAuthError('refused', 'The upstream trusts another authorization server now.', {
    error: 'invalid_grant',
  });

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

  const ask = (refreshToken: string, server: AuthorizationServer, client: Client): Promise<Outcome> =>
    oauth.refresh(server, client, refreshToken).catch((error: unknown) => ({ error }));

  /** A client that registered itself may have been forgotten: then it registers once more and asks again. */
  async function askAgain(refreshToken: string, use: ConnectionOAuth, refused: Outcome): Promise<Asked> {
    const marked = isClientRefused(refused) ? await use.forgetClient() : undefined;
    if (marked === undefined) return { outcome: refused };
    const { server, client } = await describeOAuth(marked);
    return { outcome: await ask(refreshToken, server, await client()), marked };
  }

  // Rule R3: intent, request, commit, and nothing else in between.
  async function requestTokens(account: Account, refreshToken: string): Promise<Account> {
    const connection = await findConnectionOf(storage, account);
    const use = await describeOAuth(connection);
    const named = await use.client();
    if (account.issuer !== null && account.issuer !== use.issuer)
      return handleFailure(account, anotherIssuer());
    if (!(await storage.accounts.markRefresh(account, now()))) return readUsable(storage, account);
    const first = await ask(refreshToken, use.server, named);
    const { outcome, marked } = await askAgain(refreshToken, use, first);
    if ('error' in outcome) {
      use.forgetServer();
      return handleFailure(account, outcome.error);
    }
    const renewed = await commit(account, outcome);
    backoff.succeed(refreshKey(account));
    await takeMarkAway(storage, marked ?? connection);
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
