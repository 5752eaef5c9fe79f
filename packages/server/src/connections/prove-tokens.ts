import { createKeyedSemaphore } from '../concurrency/semaphore.js';
import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import { secret } from '../secret.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import { readConnectedAs } from '../text/connected-as.js';
import { addressesOf } from './connection-addresses.js';
import type { ConnectionMarks } from './connection-marks.js';
import type { ConnectionOAuth, DescribeOAuth } from './connection-oauth.js';
import { type Connector, type Connectors, findConnector } from './connector.js';
import type { GivenTokens } from './given-tokens.js';
import type { RequestTokens } from './request-tokens.js';
import type { TokenSet } from './token-columns.js';
import type { CredentialTrial, VerifyCredential } from './verify-credential.js';

export interface ProveTokensParts {
  readonly connectors: Connectors;
  readonly verifyCredential: VerifyCredential;
  readonly describeOAuth: DescribeOAuth;
  readonly requestTokens: RequestTokens;
  readonly marks: Pick<ConnectionMarks, 'check' | 'refuse'>;
  readonly now: () => number;
}

/**
 * Imported tokens that the upstream accepted, with the upstream's id of their user. If the tokens were tested by a
 * refresh, these are the new tokens.
 */
export interface ProvenTokens {
  readonly tokens: TokenSet;
  readonly proof: 'verify' | 'refresh';
  readonly issuer: string | null;
  /** Id of the user at the upstream; `null` if the response that tested the tokens does not contain it. */
  readonly subject: string | null;
  readonly connectedAs: string | null;
  /** Time from which the lifetime of the tokens counts, in epoch milliseconds. */
  readonly issuedAt: number;
  /**
   * Connection whose OAuth client the authorization server accepted in the token request. Absent if no token request
   * was sent.
   */
  readonly accepted?: ConnectionRow;
}

interface Trial {
  readonly account: StoredAccount;
  readonly connection: ConnectionRow;
  readonly given: GivenTokens;
}

// Maximum concurrent token requests of imports per connection. It equals the limit of ordinary refreshes, so that a
// large import does not make the authorization server refuse them.
const AT_ONCE = 10;
const WAIT_MS = 25_000;
const RETRY_S = 1;

const unavailable = (connection: ConnectionRow, retryAfter: number, cause?: OAuthError) =>
  new ServiceError(
    'unavailable',
    `The tokens could not be verified, because the upstream of "${connection.name}" does not respond. Nothing was stored. Retry in ${retryAfter} s.`,
    { connectionName: connection.name, retryAfter },
    { cause },
  );

function refused(
  { service }: Connector,
  field: 'accessToken' | 'refreshToken',
  cause?: OAuthError,
): ServiceError {
  return new ServiceError(
    'invalid_request',
    `${service} refused ${field}, so nothing was stored. Check that the token belongs to the OAuth client of the connection, or send the user an authorization link.`,
    { reason: 'token_refused', field },
    { cause },
  );
}

const unproven = ({ title }: Connector) =>
  new ServiceError(
    'invalid_request',
    `${title} has no request that verifies an access token, so nothing was stored. Send its refreshToken too, or send the user an authorization link.`,
    { reason: 'token_unproven', field: 'accessToken' },
  );

const expired = ({ name }: ConnectionRow) =>
  new ServiceError(
    'invalid_request',
    `The accessToken for "${name}" has expired, because expiresAt is in the past, so nothing was stored. Send its refreshToken too, or send the user an authorization link.`,
    { reason: 'token_expired', field: 'accessToken' },
  );

const otherSubject = ({ identifier }: StoredAccount, subject: string | null) =>
  new ServiceError(
    'conflict',
    subject === null
      ? `The user "${identifier}" is connected with a known user of the upstream, but the upstream does not report the user of these tokens, so nothing was replaced. Delete the account before the import, or send the user an authorization link.`
      : `The user "${identifier}" is connected with another user of the upstream, so nothing was replaced. Check the identifier, or delete the account before the import.`,
    { reason: subject === null ? 'unknown_subject' : 'other_subject' },
  );

/**
 * Creates the functions that test imported tokens at the upstream. Nothing is stored unless the upstream accepts them.
 */
export function createProveTokens(parts: ProveTokensParts) {
  const { connectors, verifyCredential, describeOAuth, requestTokens, marks, now } = parts;
  const semaphore = createKeyedSemaphore({ permits: AT_ONCE, waitMs: WAIT_MS });

  const hasExpired = ({ expiresAt }: GivenTokens) => expiresAt !== undefined && expiresAt <= now();

  /**
   * Tests an access token with the connector's verify request. The outcome is `unknown` if the token has expired. It is
   * also `unknown` if the account's upstream user id is known, because the response contains no such id to compare
   * (rule O8 in security-rules.md).
   */
  async function sendVerifyRequest({ account, connection, given }: Trial): Promise<CredentialTrial> {
    const { accessToken } = given;
    if (accessToken === undefined || hasExpired(given) || account.subject !== null)
      return { outcome: 'unknown' };
    const connector = findConnector(connectors, connection.connector);
    return verifyCredential({
      applicationId: connection.applicationId,
      connector: connector.id,
      addresses: addressesOf({ ...connection, connectionName: connection.name }, connector),
      secret: secret(accessToken),
    });
  }

  async function fail(
    error: unknown,
    { connection }: Trial,
    facts: { readonly isMarked: boolean; readonly use: ConnectionOAuth },
  ): Promise<never> {
    facts.use.forgetServer();
    if (!(error instanceof OAuthError)) throw error;
    if (error.isClientRefused) return marks.refuse({ connection, isMarked: facts.isMarked }, error);
    if (error.failure === 'refused' && error.status !== 429)
      throw refused(findConnector(connectors, connection.connector), 'refreshToken', error);
    throw unavailable(connection, Math.max(RETRY_S, error.retryAfter ?? 0), error);
  }

  async function requestRefresh(trial: Trial): Promise<ProvenTokens> {
    const { connection, given } = trial;
    const { refreshToken } = given;
    if (refreshToken === undefined) throw explainUnproven(trial, { outcome: 'unknown' });
    const use = await describeOAuth(connection);
    marks.check(connection);
    // Discovery may have found another authorization server than the one that issued the refresh token. The token must
    // not be sent to another server.
    if (use.isFallback) throw unavailable(connection, RETRY_S);
    const [client, issuedAt] = [await use.client(), now()];
    const request = { connectionId: connection.id, use, client, refreshToken };
    const { outcome, marked } = await requestTokens(request);
    if ('error' in outcome) return fail(outcome.error, trial, { isMarked: marked !== undefined, use });
    const { accessToken, expiresIn, scopes = given.scopes ?? [] } = outcome;
    return {
      tokens: { accessToken, refreshToken: outcome.refreshToken ?? refreshToken, expiresIn, scopes },
      proof: 'refresh',
      issuer: use.issuer,
      subject: use.subjectIn(outcome),
      connectedAs: use.connectedAsIn(outcome),
      issuedAt,
      accepted: marked ?? connection,
    };
  }

  function accept({ connection, given }: Trial, accessToken: string, body: unknown) {
    const { refreshToken, expiresAt, scopes = [] } = given;
    const { identity } = findConnector(connectors, connection.connector);
    const issuedAt = now();
    return {
      tokens: {
        accessToken,
        refreshToken,
        scopes,
        expiresIn: expiresAt === undefined ? undefined : (expiresAt - issuedAt) / 1000,
      },
      proof: 'verify' as const,
      subject: null,
      connectedAs: identity?.from === 'verify' ? readConnectedAs(identity, body) : null,
      issuedAt,
    };
  }

  /** Throws conflict if the tokens belong to another upstream user than the account (rule O8 in security-rules.md). */
  function checkSubject({ account }: Trial, proven: ProvenTokens): ProvenTokens {
    if (account.subject === null || account.subject === proven.subject) return proven;
    throw otherSubject(account, proven.subject);
  }

  function explainUnproven(
    { account, connection, given }: Trial,
    { outcome }: CredentialTrial,
  ): ServiceError {
    const connector = findConnector(connectors, connection.connector);
    if (hasExpired(given)) return expired(connection);
    if (outcome === 'refused') return refused(connector, 'accessToken');
    if (account.subject !== null) return otherSubject(account, null);
    return connector.verify === undefined ? unproven(connector) : unavailable(connection, RETRY_S);
  }

  /**
   * Tests imported tokens with the connector's verify request. Resolves to `undefined` if only a refresh can test them.
   * Throws if a refresh is needed but they contain no refresh token.
   */
  async function verify(trial: Trial): Promise<ProvenTokens | undefined> {
    const { connection, given } = trial;
    const { issuer } = await describeOAuth(connection);
    const verified = await sendVerifyRequest(trial);
    if (verified.outcome === 'accepted' && given.accessToken !== undefined)
      return checkSubject(trial, { ...accept(trial, given.accessToken, verified.body), issuer });
    if (given.refreshToken === undefined) throw explainUnproven(trial, verified);
    return undefined;
  }

  /**
   * Tests imported tokens by a refresh. Many upstreams accept a refresh token only once, so the given one is then used
   * up.
   */
  async function refresh(trial: Trial): Promise<ProvenTokens> {
    const { connection } = trial;
    const proven = await semaphore(connection.id, () => requestRefresh(trial));
    if (proven) return checkSubject(trial, proven);
    throw unavailable(connection, RETRY_S);
  }

  /** Tests imported tokens at the upstream: with the verify request if possible, and by a refresh otherwise. */
  const prove = async (trial: Trial): Promise<ProvenTokens> => (await verify(trial)) ?? refresh(trial);

  return { prove, verify, refresh };
}

export type ProveTokens = ReturnType<typeof createProveTokens>;
