import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
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

export interface HandleRefreshFailureParts {
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
  /** Version of the account whose token is no longer valid. */
  readonly version: number;
}

/** Key that counts and joins the refreshes of one version. */
export const refreshKey = ({ id, version }: StaleAccount): string => `${id} ${version}`;

/** Reads the account, which may still have the stale version. Throws account_not_authorized. */
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
    `The access to "${connectionName}" could not be refreshed, because its authorization server fails; retry in ${retryAfter} s.`,
    { connectionName, retryAfter },
    { cause },
  );
}

/** A token request that failed, or that was not sent. */
export interface Attempt {
  /** The account before the request. */
  readonly account: Account;
  readonly connection: ConnectionRow;
  /** Time of the intent. */
  readonly startedAt: number;
  /** True if the attempt marked the connection. */
  readonly isMarked: boolean;
}

/** Key that counts the refused requests of a connection with its present settings. */
export const connectionKey = ({ id, updatedAt }: ConnectionRow): string => `${id} ${updatedAt}`;

export const connectionRefused = ({ name }: ConnectionRow, cause?: OAuthError): ServiceError =>
  new ServiceError(
    'connection_not_configured',
    `The authorization server of "${name}" does not accept the connection's client id and secret; set the right ones by PATCH /v1/connections/${name}.`,
    { connectionName: name, statusReason: 'invalid_client' },
    { cause },
  );

// A refusal that no code explains is most likely about the grant, but a server may send it for a moment without a reason.
const MOST_UNEXPLAINED = 4;
const UNEXPLAINED_WITHIN_MS = 5 * 60_000;
// By the backoff, about half a minute of failures.
const FAILURES_UNTIL_AUDITED = 6;

/** Counts refusals that no code explains, for each version of an account. */
function createUnexplained(now: () => number) {
  const refusals = new LRUCache<string, { count: number; readonly since: number }>(entryLimit(10_000));
  /** Returns whether this refusal is one too many. */
  return function isOver(key: string): boolean {
    const known = refusals.get(key);
    const isRecent = known !== undefined && now() - known.since <= UNEXPLAINED_WITHIN_MS;
    const refused = isRecent ? { ...known, count: known.count + 1 } : { count: 1, since: now() };
    refusals.set(key, refused);
    return refused.count >= MOST_UNEXPLAINED;
  };
}

export function createHandleRefreshFailure({
  storage,
  commit,
  backoff,
  intents,
  cache,
  now,
}: HandleRefreshFailureParts) {
  const isOver = createUnexplained(now);

  /** Ends the access, unless another process or a new consent was faster: then its tokens win (rule R6). */
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

  /** Marks the connection, whose client is at fault. Its accounts keep their state (rule R8). */
  async function markConnection({ connection, isMarked }: Attempt, cause: OAuthError): Promise<never> {
    const { applicationId, id } = connection;
    await commit(async (tables, tell) => {
      const isNews = await tables.connections.mark(applicationId, id, 'invalid_client');
      if (!isNews && !isMarked) return;
      const reason = cause.error;
      tell({ action: 'connection.refused_by_upstream', applicationId, object: id, reason });
    });
    // Concurrent requests count as one failure.
    if (backoff.waitOf(connectionKey(connection)) === 0) backoff.fail(connectionKey(connection), 0);
    throw connectionRefused(connection, cause);
  }

  /** Shows operators a refresh that goes on failing, once for each version of the account and each process. */
  async function auditFailing({ applicationId, id }: Account, { error, failure }: OAuthError): Promise<void> {
    const reason = error === undefined || error === 'other' ? failure : error;
    await commit(async (_, tell) =>
      tell({ action: 'account.refresh_failing', applicationId, object: id, result: 'refused', reason }),
    );
  }

  /** Handles a failed refresh. Gives the account if another process has renewed it; throws otherwise. */
  async function handleRefreshFailure(attempt: Attempt, error: unknown): Promise<Account> {
    const { account, startedAt } = attempt;
    intents.end({ ...account, refreshStartedAt: startedAt });
    if (!(error instanceof OAuthError)) throw error;
    const isLast = error.isUnexplained && isOver(refreshKey(account));
    if (error.isGrantOver || isLast) return endAccess(attempt);
    // Another error code or a rate limit means that the server did not use the refresh token.
    if (error.failure === 'refused' || error.status === 429) {
      const opened = { ...account, refreshStartedAt: startedAt };
      await storage.accounts.markRefresh(opened, account.refreshStartedAt);
    }
    if (error.isClientRefused) return markConnection(attempt, error);
    const waitMs = backoff.fail(refreshKey(account), (error.retryAfter ?? 0) * 1000);
    if (backoff.countOf(refreshKey(account)) === FAILURES_UNTIL_AUDITED) await auditFailing(account, error);
    throw refreshUnavailable(account, waitMs, error);
  }
  return handleRefreshFailure;
}

export type HandleRefreshFailure = ReturnType<typeof createHandleRefreshFailure>;
