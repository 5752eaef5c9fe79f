import { ServiceError } from '../errors.js';
import type { OAuth, Tokens } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Account } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountLock } from './account-lock.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import type { Backoff } from './backoff.js';
import type { DescribeOAuth } from './connection-oauth.js';
import type { CredentialCache } from './credential-cache.js';
import { findAccount } from './find-account.js';
import { sealTokens, tokenPlace } from './tokens.js';
import type { Vault } from './vault.js';

export interface RefreshParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly vault: Vault;
  readonly describeOAuth: DescribeOAuth;
  readonly oauth: OAuth;
  readonly lock: AccountLock;
  readonly backoff: Backoff;
  readonly cache: CredentialCache;
  readonly now: () => number;
}

export interface StaleAccount {
  readonly applicationId: string;
  readonly id: string;
  /** The version whose token is no longer good. */
  readonly version: number;
}

/** Gives the account in a version above the stale one. Throws account_not_authorized, connection_not_configured or unavailable. */
export type Refresh = (stale: StaleAccount) => Promise<Account>;

const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client'];

function unavailable({ connectionName }: Account, waitMs: number, cause?: OAuthError): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError(
    'unavailable',
    `The access to "${connectionName}" could not be renewed, because its authorization server does not answer as it should; try again in ${retryAfter} s.`,
    { connectionName, retryAfter },
    { cause },
  );
}

/** One token request for each version of an account, however many ask for it. */
export function createRefresh(parts: RefreshParts): Refresh {
  const { storage, vault, describeOAuth, oauth, lock, backoff, cache, now } = parts;
  const flights = new Map<string, Promise<Account>>();
  const flightKey = ({ id, version }: StaleAccount) => `${id} ${version}`;

  async function connectionOf(account: Account): Promise<ConnectionRow> {
    const connection = await storage.connections.find(account.applicationId, account.connectionId);
    if (connection) return connection;
    throw new ServiceError('connection_not_found', `There is no connection "${account.connectionName}".`);
  }

  /** The account as it stands, when it may be used; the stale version may still be it. */
  async function readUsable({ applicationId, id }: StaleAccount): Promise<Account> {
    const account = await findAccount(storage, applicationId, id);
    if (account.status !== 'authorized') throw accountNotAuthorized(account, 'oauth2');
    return account;
  }

  // Rule R6: another process or a new approval may have been faster, and then its tokens win.
  async function endAccess(account: Account): Promise<Account> {
    const latest = await readUsable(account);
    if (latest.version > account.version) return latest;
    const statusReason = account.refreshStartedAt === null ? 'refresh_refused' : 'refresh_outcome_unknown';
    const ended = { status: 'reauthorization_required' as const, statusReason };
    const tokens = { accessToken: null, refreshToken: null, expiresAt: null, refreshStartedAt: null };
    const changed = await storage.accounts.change(account, { ...ended, ...tokens, updatedAt: now() });
    cache.drop(account.id);
    if (changed === undefined) return readUsable(account);
    throw accountNotAuthorized({ ...account, ...ended }, 'oauth2');
  }

  // Rule R8: the client is at fault and not its users, so every account of the connection keeps its state.
  async function markConnection(account: Account, error: OAuthError): Promise<never> {
    const { applicationId, connectionId, connectionName } = account;
    await storage.connections.update(applicationId, connectionId, { statusReason: 'invalid_client' });
    backoff.fail(flightKey(account), 0);
    throw new ServiceError(
      'connection_not_configured',
      `The authorization server of "${connectionName}" does not accept the connection's client id and secret; set the right ones by PATCH /v1/connections/${connectionName}.`,
      { connectionName, statusReason: 'invalid_client' },
      { cause: error },
    );
  }

  async function handleFailure(account: Account, error: unknown): Promise<Account> {
    if (!(error instanceof OAuthError)) throw error;
    if (error.failure === 'refused' && error.error === 'invalid_grant') return endAccess(account);
    // An answer that names another reason, or a rate limit, says that the refresh token was not used.
    if (error.failure === 'refused' || error.status === 429) {
      await storage.accounts.markRefresh(account, account.refreshStartedAt);
    }
    if (CLIENT_ERRORS.includes(error.error ?? '')) return markConnection(account, error);
    throw unavailable(account, backoff.fail(flightKey(account), (error.retryAfter ?? 0) * 1000), error);
  }

  async function commit(account: Account, tokens: Tokens): Promise<Account> {
    const sealed = await sealTokens(vault, account, { tokens, now: now() });
    const changed = await storage.accounts.change(account, sealed);
    cache.drop(account.id);
    return changed ? { ...account, ...changed } : readUsable(account);
  }

  // Rule R3: intent, request, commit, and nothing else in between.
  async function requestTokens(account: Account, refreshToken: string): Promise<Account> {
    const connection = await connectionOf(account);
    const { server, client } = describeOAuth(connection);
    const named = await client();
    if (!(await storage.accounts.markRefresh(account, now()))) return readUsable(account);
    const outcome = await oauth.refresh(server, named, refreshToken).catch((error: unknown) => ({ error }));
    if ('error' in outcome) return handleFailure(account, outcome.error);
    const renewed = await commit(account, outcome);
    backoff.succeed(flightKey(account));
    if (connection.statusReason !== null) {
      await storage.connections.update(connection.applicationId, connection.id, { statusReason: null });
    }
    return renewed;
  }

  async function refreshLocked(stale: StaleAccount): Promise<Account> {
    const account = await readUsable(stale);
    if (account.version > stale.version || account.refreshToken === null) return account;
    const wait = backoff.waitOf(flightKey(account));
    if (wait > 0) throw unavailable(account, wait);
    const { reveal } = await vault.open(tokenPlace(account, 'refresh_token'), account.refreshToken);
    return requestTokens(account, reveal());
  }

  return (stale) => {
    const key = flightKey(stale);
    const flying = flights.get(key);
    if (flying) return flying;
    const flight = lock(stale.id, () => refreshLocked(stale)).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
