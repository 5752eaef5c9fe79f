import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import type { Backoff } from './backoff.js';
import type { ConnectionMarks } from './connection-marks.js';
import { findAccount } from './find-account.js';
import type { OpenIntents } from './open-intents.js';
import { REFRESH_WORKS } from './token-columns.js';

export interface HandleRefreshFailureParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly commit: Commit;
  readonly backoff: Backoff;
  readonly intents: OpenIntents;
  readonly marks: Pick<ConnectionMarks, 'refuse'>;
  readonly cache: AccountCache;
  readonly now: () => number;
}

export interface StaleAccount {
  readonly applicationId: string;
  readonly id: string;
  /** Version of the account at which the caller found its token expired or rejected. */
  readonly version: number;
}

/** Returns the key under which concurrent refreshes of an account version are joined and its failures are counted. */
export const refreshKey = ({ id, version }: StaleAccount): string => `${id} ${version}`;

/**
 * Reads an account from the database, even if its version is the one that the caller has. Throws account_not_authorized
 * if the account's access has ended.
 */
export async function readUsable(
  storage: Pick<Storage, 'accounts'>,
  { applicationId, id }: StaleAccount,
): Promise<StoredAccount> {
  const account = await findAccount(storage, applicationId, id);
  if (account.status !== 'authorized') throw accountNotAuthorized(account, 'oauth2');
  return account;
}

const DELAYS = {
  failed: 'the authorization server failed',
  earlier: 'an earlier attempt failed',
  unfinished: 'an earlier attempt did not finish',
  elsewhere: 'another instance of the service is refreshing it',
  queue: 'too many other refreshes of this connection are running',
} as const;

/** Reason why a token could not be refreshed now. */
type RefreshDelay = keyof typeof DELAYS;

export function refreshUnavailable(
  { connectionName }: StoredAccount,
  why: RefreshDelay,
  { waitMs = 0, cause }: { readonly waitMs?: number; readonly cause?: OAuthError } = {},
): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError(
    'unavailable',
    `The access token for "${connectionName}" could not be refreshed, because ${DELAYS[why]}. Retry in ${retryAfter} s.`,
    { connectionName, retryAfter, reason: 'refresh' },
    { cause },
  );
}

/** Token refresh that failed, before or after its token request was sent. */
export interface Attempt {
  /** Account as it was before the token request. */
  readonly account: StoredAccount;
  readonly connection: ConnectionRow;
  /** Time in epoch milliseconds that was stored as `refreshStartedAt` before the token request. */
  readonly startedAt: number;
  /**
   * True if this refresh has already set the connection's status to `invalid_client`. The server refused the OAuth
   * client, then also the new one that was registered instead.
   */
  readonly isMarked: boolean;
}

// Number of token requests that the server refuses without a known error code before the account's access ends. The
// refresh token is then probably invalid. One refusal is not enough, because some servers refuse requests for a short
// time without a reason.
const MAX_UNEXPLAINED = 4;
const UNEXPLAINED_WITHIN_MS = 5 * 60_000;
// Number of consecutive failed refreshes after which an audit event is recorded. With the backoff, this takes about
// half a minute.
const FAILURES_UNTIL_AUDITED = 6;

/**
 * Returns the OAuth error code of a failed refresh. If the server sent no known code, returns the kind of the failure.
 */
const reasonOf = ({ error, failure }: OAuthError): string =>
  error === undefined || error === 'other' ? failure : error;

/** Creates a counter of refused token requests without a known error code, for each account version. */
function createUnexplained(now: () => number) {
  const refusals = new LRUCache<string, { count: number; readonly since: number }>(entryLimit(10_000));
  /**
   * Counts a refused token request of the account `key`. Returns true at `MAX_UNEXPLAINED` refusals within 5 minutes;
   * the account's access then ends.
   */
  return function isOver(key: string): boolean {
    const known = refusals.get(key);
    const isRecent = known !== undefined && now() - known.since <= UNEXPLAINED_WITHIN_MS;
    const refused = isRecent ? { ...known, count: known.count + 1 } : { count: 1, since: now() };
    refusals.set(key, refused);
    return refused.count >= MAX_UNEXPLAINED;
  };
}

export function createHandleRefreshFailure({
  storage,
  commit,
  backoff,
  intents,
  marks,
  cache,
  now,
}: HandleRefreshFailureParts) {
  const isOver = createUnexplained(now);

  /**
   * Ends the account's access, so that its user must consent again. If another process or a new consent has stored
   * newer tokens, returns the account with those tokens instead (rule R6 in security-rules.md).
   */
  async function endAfterRefusedRefresh({ account }: Attempt): Promise<StoredAccount> {
    const latest = await readUsable(storage, account);
    if (latest.version > account.version) return latest;
    const statusReason = account.refreshStartedAt === null ? 'refresh_refused' : 'refresh_outcome_unknown';
    const ended = { status: 'reauthorization_required', statusReason } as const;
    const tokens = {
      accessToken: null,
      refreshToken: null,
      expiresAt: null,
      refreshStartedAt: null,
      ...REFRESH_WORKS,
    };
    const { applicationId, id } = account;
    const changed = await commit(async (tables, audit) => {
      const row = await tables.accounts.change(account, { ...ended, ...tokens, updatedAt: now() });
      if (row) {
        audit({
          action: 'account.reauthorization_required',
          applicationId,
          object: id,
          reason: statusReason,
        });
      }
      return row;
    });
    cache.drop(id);
    if (changed === undefined) return readUsable(storage, account);
    throw accountNotAuthorized({ ...account, ...ended }, 'oauth2');
  }

  /**
   * Records an audit event for an account whose token refreshes keep failing, so that operators see it. Each process
   * records one event until the account changes.
   */
  async function auditFailing({ applicationId, id }: StoredAccount, failed: OAuthError): Promise<void> {
    const reason = reasonOf(failed);
    await commit(async (_, audit) =>
      audit({
        action: 'account.refresh_failing',
        applicationId,
        object: id,
        result: 'refused',
        reason,
      }),
    );
  }

  /**
   * Handles a failed token refresh. Returns the account if another process has stored newer tokens meanwhile. Otherwise
   * throws.
   */
  async function handleRefreshFailure(attempt: Attempt, error: unknown): Promise<StoredAccount> {
    const { account, startedAt } = attempt;
    intents.end({ ...account, refreshStartedAt: startedAt });
    if (!(error instanceof OAuthError)) throw error;
    const isLast = error.isUnexplained && isOver(refreshKey(account));
    if (error.isGrantOver || isLast) return endAfterRefusedRefresh(attempt);
    // A refusal with another error code, or a rate limit, means that the server did not use the refresh token. The
    // stored start of the refresh is therefore reset.
    if (error.failure === 'refused' || error.status === 429) {
      const opened = { ...account, refreshStartedAt: startedAt };
      await storage.accounts.markRefresh(opened, account.refreshStartedAt);
    }
    // A refused OAuth client is a problem of the connection, so the accounts do not change.
    if (error.isClientRefused) return marks.refuse(attempt, error);
    await storage.accounts.markRefreshFailed(account, { at: now(), reason: reasonOf(error) });
    const waitMs = backoff.fail(refreshKey(account), (error.retryAfter ?? 0) * 1000);
    if (backoff.countOf(refreshKey(account)) === FAILURES_UNTIL_AUDITED) await auditFailing(account, error);
    throw refreshUnavailable(account, 'failed', { waitMs, cause: error });
  }
  return handleRefreshFailure;
}

export type HandleRefreshFailure = ReturnType<typeof createHandleRefreshFailure>;
