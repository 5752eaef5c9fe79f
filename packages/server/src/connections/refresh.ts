import { createKeyedSemaphore } from '../concurrency/semaphore.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Secret } from '../secret.js';
import type { Account } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Vault } from '../vault/vault.js';
import { findConnectionOf } from './find-account.js';
import type { KeepTokens } from './keep-tokens.js';
import {
  connectionKey,
  connectionRefused,
  createRefreshFailure,
  type RefreshFailureParts,
  readUsable,
  refreshKey,
  refreshUnavailable,
  type StaleAccount,
} from './refresh-failure.js';
import { createRequestTokens, type RequestTokensParts } from './request-tokens.js';
import { tokenColumns, tokenPlace } from './tokens.js';

export interface RefreshParts extends RefreshFailureParts, RequestTokensParts {
  readonly vault: Vault;
  readonly keepTokens: KeepTokens;
  readonly lock: Lock;
}

/** Gives the account in a version above the stale one. Throws account_not_authorized, connection_not_configured or unavailable. */
export type Refresh = (stale: StaleAccount) => Promise<Account>;

// That a connection's client is refused is found out only by asking: so few ask, and the others hear it from them (rule R8).
const AT_ONCE = 10;
// As long as those who wait for the account itself.
const WAIT_MS = 25_000;

// The refresh token was given by another server, and must not be shown to this one.
const anotherIssuer = () =>
  new OAuthError('refused', 'The upstream trusts another authorization server now.', {
    error: 'invalid_grant',
  });

const keyOf = ({ applicationId, id, version, issuedAt }: Account) => ({
  applicationId,
  id,
  version,
  replaces: issuedAt,
});

/** One token request for each version of an account, however many ask for it. */
export function createRefresh(parts: RefreshParts): Refresh {
  const { storage, commit, vault, describeOAuth, keepTokens, lock, backoff, intents, now } = parts;
  const flights = new Map<string, Promise<Account>>();
  const withPermit = createKeyedSemaphore({ permits: AT_ONCE, waitMs: WAIT_MS });
  const handleFailure = createRefreshFailure(parts);
  const requestTokens = createRequestTokens(parts);

  async function takeMarkAway({ applicationId, id, statusReason }: ConnectionRow): Promise<void> {
    if (statusReason === null) return;
    await commit(async (tables, tell) => {
      await tables.connections.update(applicationId, id, { statusReason: null });
      tell({ action: 'connection.changed', applicationId, object: id, reason: 'accepted_by_upstream' });
    });
  }

  // Somebody else has changed the account or is at work on it: this process has lost it without knowing.
  async function readNewer(account: Account): Promise<Account> {
    const latest = await readUsable(storage, account);
    if (latest.version > account.version) return latest;
    throw refreshUnavailable(account, 0);
  }

  // Rule R3: intent, request, new tokens, and nothing else in between. Whatever they need is at hand before.
  async function renew(account: Account, spent: Secret): Promise<Account> {
    const connection = await findConnectionOf(storage, account);
    if (backoff.waitOf(connectionKey(connection)) > 0) throw connectionRefused(connection);
    const use = await describeOAuth(connection);
    const client = await use.client();
    const seal = await vault.prepare(account.applicationId);
    const attempt = { account, connection, startedAt: now(), isMarked: false };
    if (account.issuer !== null && account.issuer !== use.issuer)
      return handleFailure(attempt, anotherIssuer());
    if (!(await storage.accounts.markRefresh(account, attempt.startedAt))) return readNewer(account);
    const spending = { connectionId: connection.id, use, client, refreshToken: spent.reveal() };
    const { outcome, marked } = await requestTokens(spending);
    if ('error' in outcome) {
      use.forgetServer();
      return handleFailure({ ...attempt, isMarked: marked !== undefined }, outcome.error);
    }
    // Their life is counted from before the request: the answer may have lain there while this process stood still.
    const columns = tokenColumns(seal, account, { tokens: outcome, now: attempt.startedAt });
    const renewed = await keepTokens.keep(account, { ...keyOf(account), columns }, seal);
    backoff.succeed(refreshKey(account));
    backoff.succeed(connectionKey(connection));
    await takeMarkAway(marked ?? connection);
    return renewed;
  }

  async function refreshLocked(stale: StaleAccount): Promise<Account> {
    await keepTokens.settle(stale.id);
    const account = await readUsable(storage, stale);
    if (account.version > stale.version || account.refreshToken === null) return account;
    const wait = Math.max(backoff.waitOf(refreshKey(account)), intents.waitOf(account));
    if (wait > 0) throw refreshUnavailable(account, wait);
    const spent = await vault.open(tokenPlace(account, 'refresh_token'), account.refreshToken);
    const renewed = await withPermit(account.connectionId, () => renew(account, spent));
    if (renewed) return renewed;
    throw refreshUnavailable(account, 0);
  }

  return (stale) => {
    const key = refreshKey(stale);
    const flying = flights.get(key);
    if (flying) return flying;
    const flight = lock(stale.id, () => refreshLocked(stale), stale.applicationId).finally(() =>
      flights.delete(key),
    );
    flights.set(key, flight);
    return flight;
  };
}
