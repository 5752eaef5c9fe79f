import { createKeyedSemaphore } from '../concurrency/semaphore.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Secret } from '../secret.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import type { Backoff } from './backoff.js';
import type { ConnectionMarks } from './connection-marks.js';
import type { DescribeOAuth } from './connection-oauth.js';
import { findConnectionOf } from './find-account.js';
import type { OpenIntents } from './open-intents.js';
import {
  type HandleRefreshFailure,
  readUsable,
  refreshKey,
  refreshUnavailable,
  type StaleAccount,
} from './refresh-failure.js';
import type { RequestTokens } from './request-tokens.js';
import { tokenColumns, tokenLocation } from './token-columns.js';
import type { TokenWriter } from './token-writer.js';

/**
 * Outcome of a token refresh, as the metrics count it. `refused`: the user must consent again. `client_refused`: the
 * server refused the connection's OAuth client.
 */
export type RefreshOutcome = 'ok' | 'refused' | 'client_refused' | 'failed';

export type OnRefresh = (connector: string, outcome: RefreshOutcome) => void;

export interface RefreshParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly vault: Vault;
  readonly describeOAuth: DescribeOAuth;
  readonly requestTokens: RequestTokens;
  readonly handleRefreshFailure: HandleRefreshFailure;
  readonly marks: Pick<ConnectionMarks, 'check' | 'accept'>;
  readonly tokenWriter: Pick<TokenWriter, 'write' | 'flush'>;
  readonly lock: Lock;
  readonly backoff: Backoff;
  readonly intents: OpenIntents;
  readonly now: () => number;
  readonly onRefresh?: OnRefresh | undefined;
}

// Maximum concurrent token refreshes per connection. If the server refuses the connection's OAuth client, the waiting
// refreshes learn it from the running ones (rule R8 in security-rules.md).
const AT_ONCE = 10;
// Maximum milliseconds that a token refresh waits because too many others of the connection are running. The wait for
// an account's lock has the same maximum.
const WAIT_MS = 25_000;

// Error for an account whose tokens were issued by another authorization server than the connection's present one. A
// refresh token must never be sent to another server.
const anotherIssuer = () =>
  new OAuthError(
    'refused',
    'The upstream has changed its authorization server. The user must consent again.',
    {
      error: 'invalid_grant',
    },
  );

// Error for an account whose authorization server is unreachable now. The MCP server names other servers too, but they
// did not issue the account's token.
const serverUnreachable = () =>
  new OAuthError(
    'unavailable',
    'The authorization server of this account could not be reached. Retry later.',
  );

function outcomeOf(error: unknown): RefreshOutcome {
  if (!(error instanceof OAuthError)) return 'failed';
  if (error.isGrantOver) return 'refused';
  return error.isClientRefused ? 'client_refused' : 'failed';
}

const keyOf = ({ applicationId, id, version, issuedAt }: StoredAccount) => ({
  applicationId,
  id,
  version,
  replaces: issuedAt,
});

export function createRefresh(parts: RefreshParts) {
  const { storage, vault, describeOAuth, requestTokens, handleRefreshFailure } = parts;
  const { marks, tokenWriter, lock, backoff, intents, now, onRefresh } = parts;
  const flights = new Map<string, Promise<StoredAccount>>();
  const semaphore = createKeyedSemaphore({ permits: AT_ONCE, waitMs: WAIT_MS });

  /**
   * Reads an account whose row another process has changed. Throws unavailable if that process has not finished its
   * token refresh.
   */
  async function readNewer(account: StoredAccount): Promise<StoredAccount> {
    const latest = await readUsable(storage, account);
    if (latest.version > account.version) return latest;
    throw refreshUnavailable(account, 'elsewhere');
  }

  /**
   * Stores the start of the token refresh, sends the token request, and stores the new tokens. Nothing else happens in
   * between (rule R3 in security-rules.md).
   */
  async function renew(account: StoredAccount, spent: Secret): Promise<StoredAccount> {
    const connection = await findConnectionOf(storage, account);
    marks.check(connection);
    const use = await describeOAuth(connection);
    const client = await use.client();
    const seal = await vault.prepare(account.applicationId);
    const attempt = { account, connection, startedAt: now(), isMarked: false };
    if (account.issuer !== null && account.issuer !== use.issuer) {
      use.forgetServer();
      return handleRefreshFailure(attempt, use.isFallback ? serverUnreachable() : anotherIssuer());
    }
    if (!(await storage.accounts.markRefresh(account, attempt.startedAt))) return readNewer(account);
    const beforeRepeat = async () => {
      const startedAt = now();
      const refreshStartedAt = attempt.startedAt;
      if (!(await storage.accounts.markRefresh({ ...account, refreshStartedAt }, startedAt)))
        throw refreshUnavailable(account, 'elsewhere');
      attempt.startedAt = startedAt;
    };
    const spending = { connectionId: connection.id, use, client, refreshToken: spent.reveal(), beforeRepeat };
    const { outcome, marked } = await requestTokens(spending);
    onRefresh?.(account.connector, 'error' in outcome ? outcomeOf(outcome.error) : 'ok');
    if ('error' in outcome) {
      use.forgetServer();
      return handleRefreshFailure({ ...attempt, isMarked: marked !== undefined }, outcome.error);
    }
    // The new token's lifetime counts from before the request, because this process may have paused before it read the
    // response.
    const columns = tokenColumns(seal, account, { tokens: outcome, now: attempt.startedAt });
    const renewed = await tokenWriter.write(account, { ...keyOf(account), columns }, seal);
    backoff.succeed(refreshKey(account));
    await marks.accept(connection, marked);
    return renewed;
  }

  async function refreshLocked(stale: StaleAccount): Promise<StoredAccount> {
    await tokenWriter.flush(stale.id);
    const account = await readUsable(storage, stale);
    if (account.version > stale.version || account.refreshToken === null) return account;
    const failedMs = backoff.waitOf(refreshKey(account));
    const unfinishedMs = intents.waitOf(account);
    const waitMs = Math.max(failedMs, unfinishedMs);
    if (waitMs > 0)
      throw refreshUnavailable(account, unfinishedMs > failedMs ? 'unfinished' : 'earlier', { waitMs });
    const spent = await vault.open(tokenLocation(account, 'refresh_token'), account.refreshToken);
    const renewed = await semaphore(account.connectionId, () => renew(account, spent));
    if (renewed) return renewed;
    throw refreshUnavailable(account, 'queue');
  }

  /**
   * Refreshes the tokens of an account. Concurrent callers share one token request per account version. Resolves to the
   * refreshed account. Throws account_not_authorized, connection_not_configured or unavailable.
   */
  function refresh(stale: StaleAccount): Promise<StoredAccount> {
    const key = refreshKey(stale);
    const flying = flights.get(key);
    if (flying) return flying;
    const flight = lock(stale.id, () => refreshLocked(stale), stale.applicationId).finally(() =>
      flights.delete(key),
    );
    flights.set(key, flight);
    return flight;
  }
  return refresh;
}

export type Refresh = ReturnType<typeof createRefresh>;
