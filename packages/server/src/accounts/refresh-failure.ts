import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Account } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import type { Backoff } from './backoff.js';
import { findAccount } from './find-account.js';

export interface RefreshFailureParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly backoff: Backoff;
  readonly cache: AccountCache;
  readonly now: () => number;
}

export interface StaleAccount {
  readonly applicationId: string;
  readonly id: string;
  /** The version whose token is no longer good. */
  readonly version: number;
}

/** Under this name the tries of one version are counted and joined. */
export const refreshKey = ({ id, version }: StaleAccount): string => `${id} ${version}`;

/** The account as it stands, when it may be used; it may still be in the stale version. */
export async function readUsable(
  storage: Pick<Storage, 'accounts'>,
  { applicationId, id }: StaleAccount,
): Promise<Account> {
  const account = await findAccount(storage, applicationId, id);
  if (account.status !== 'authorized') throw accountNotAuthorized(account, 'oauth2');
  return account;
}

export function refreshUnavailable(
  { connectionName }: Account,
  waitMs: number,
  cause?: OAuthError,
): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError(
    'unavailable',
    `The access to "${connectionName}" could not be renewed, because its authorization server does not answer as it should; try again in ${retryAfter} s.`,
    { connectionName, retryAfter },
    { cause },
  );
}

/** What follows from a token request that failed; gives the account when somebody else has renewed it. */
export function createRefreshFailure({ storage, backoff, cache, now }: RefreshFailureParts) {
  // Rule R6: another process or a new approval may have been faster, and then its tokens win.
  async function endAccess(account: Account): Promise<Account> {
    const latest = await readUsable(storage, account);
    if (latest.version > account.version) return latest;
    const statusReason = account.refreshStartedAt === null ? 'refresh_refused' : 'refresh_outcome_unknown';
    const ended = { status: 'reauthorization_required' as const, statusReason };
    const tokens = { accessToken: null, refreshToken: null, expiresAt: null, refreshStartedAt: null };
    const changed = await storage.accounts.change(account, { ...ended, ...tokens, updatedAt: now() });
    cache.drop(account.id);
    if (changed === undefined) return readUsable(storage, account);
    throw accountNotAuthorized({ ...account, ...ended }, 'oauth2');
  }

  // Rule R8: the client is at fault and not its users, so every account of the connection keeps its state.
  async function markConnection(account: Account, cause: OAuthError): Promise<never> {
    const { applicationId, connectionId, connectionName } = account;
    await storage.connections.update(applicationId, connectionId, { statusReason: 'invalid_client' });
    backoff.fail(refreshKey(account), 0);
    throw new ServiceError(
      'connection_not_configured',
      `The authorization server of "${connectionName}" does not accept the connection's client id and secret; set the right ones by PATCH /v1/connections/${connectionName}.`,
      { connectionName, statusReason: 'invalid_client' },
      { cause },
    );
  }

  return async (account: Account, error: unknown): Promise<Account> => {
    if (!(error instanceof OAuthError)) throw error;
    if (error.failure === 'refused' && error.error === 'invalid_grant') return endAccess(account);
    // An answer that names another reason, or a rate limit, says that the refresh token was not used.
    if (error.failure === 'refused' || error.status === 429) {
      await storage.accounts.markRefresh(account, account.refreshStartedAt);
    }
    if (error.isClientRefused) return markConnection(account, error);
    const waitMs = backoff.fail(refreshKey(account), (error.retryAfter ?? 0) * 1000);
    throw refreshUnavailable(account, waitMs, error);
  };
}
