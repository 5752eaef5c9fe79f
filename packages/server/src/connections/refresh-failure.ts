import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { Account } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import type { Backoff } from './backoff.js';
import { findAccount } from './find-account.js';
import type { OpenIntents } from './open-intents.js';

export interface RefreshFailureParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly commit: Commit;
  readonly backoff: Backoff;
  readonly intents: OpenIntents;
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

/** A token request that was made, or that it was decided not to make. */
export interface Attempt {
  /** As it was before. */
  readonly account: Account;
  readonly connection: ConnectionRow;
  /** The intent of this attempt. */
  readonly startedAt: number;
  /** Whether the connection was marked in its course. */
  readonly isMarked: boolean;
}

/** Under this name refused requests of a connection in its present settings are counted. */
export const connectionKey = ({ id, updatedAt }: ConnectionRow): string => `${id} ${updatedAt}`;

export const connectionRefused = ({ name }: ConnectionRow, cause?: OAuthError): ServiceError =>
  new ServiceError(
    'connection_not_configured',
    `The authorization server of "${name}" does not accept the connection's client id and secret; set the right ones by PATCH /v1/connections/${name}.`,
    { connectionName: name, statusReason: 'invalid_client' },
    { cause },
  );

/** What follows from a token request that failed; gives the account when somebody else has renewed it. */
export function createRefreshFailure({ storage, commit, backoff, intents, cache, now }: RefreshFailureParts) {
  // Rule R6: another process or a new approval may have been faster, and then its tokens win.
  async function endAccess({ account }: Attempt): Promise<Account> {
    const latest = await readUsable(storage, account);
    if (latest.version > account.version) return latest;
    const statusReason = account.refreshStartedAt === null ? 'refresh_refused' : 'refresh_outcome_unknown';
    const ended = { status: 'reauthorization_required', statusReason } as const;
    const tokens = { accessToken: null, refreshToken: null, expiresAt: null, refreshStartedAt: null };
    const { applicationId, id } = account;
    const changed = await commit(async (tables, tell) => {
      const row = await tables.accounts.change(account, { ...ended, ...tokens, updatedAt: now() });
      if (row) {
        tell({ action: 'account.reauthorization_required', applicationId, object: id, reason: statusReason });
      }
      return row;
    });
    cache.drop(id);
    if (changed === undefined) return readUsable(storage, account);
    throw accountNotAuthorized({ ...account, ...ended }, 'oauth2');
  }

  // Rule R8: the client is at fault and not its users, so every account of the connection keeps its state.
  async function markConnection({ connection, isMarked }: Attempt, cause: OAuthError): Promise<never> {
    const { applicationId, id } = connection;
    await commit(async (tables, tell) => {
      const isNews = await tables.connections.mark(applicationId, id, 'invalid_client');
      if (!isNews && !isMarked) return;
      const reason = cause.error;
      tell({ action: 'connection.refused_by_upstream', applicationId, object: id, reason });
    });
    // Requests that ran side by side are one failure.
    if (backoff.waitOf(connectionKey(connection)) === 0) backoff.fail(connectionKey(connection), 0);
    throw connectionRefused(connection, cause);
  }

  return async (attempt: Attempt, error: unknown): Promise<Account> => {
    const { account, startedAt } = attempt;
    intents.end({ ...account, refreshStartedAt: startedAt });
    if (!(error instanceof OAuthError)) throw error;
    if (error.isGrantOver) return endAccess(attempt);
    // An answer that names another reason, or a rate limit, says that the refresh token was not used.
    if (error.failure === 'refused' || error.status === 429) {
      const opened = { ...account, refreshStartedAt: startedAt };
      await storage.accounts.markRefresh(opened, account.refreshStartedAt);
    }
    if (error.isClientRefused) return markConnection(attempt, error);
    const waitMs = backoff.fail(refreshKey(account), (error.retryAfter ?? 0) * 1000);
    throw refreshUnavailable(account, waitMs, error);
  };
}
