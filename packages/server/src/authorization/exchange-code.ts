import { redirectUriOf } from '../connections/connection.js';
import type { ConnectionOAuth, DescribeOAuth } from '../connections/connection-oauth.js';
import type { TokenSet } from '../connections/token-columns.js';
import type { ConfirmRefusal } from '../connections/try-client.js';
import { ServiceError } from '../errors.js';
import type { OAuth, TokenResponse } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { AuthorizationFlowRow, PendingConsentRow } from '../storage/authorization-rows.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import { codeVerifierLocation, consentIsOver } from './authorization-flow.js';
import { CONSENT_ERRORS, START_AGAIN } from './consent-errors.js';

/**
 * Secondary credentials that a user entered with a key. `isVerified`: the upstream accepted the key and each of them.
 */
export interface KeyDetails {
  readonly credentials: Readonly<Record<string, string>>;
  readonly isVerified: boolean;
}

/** Tokens from a user's consent, with the account and the authorization server to which they belong. */
export interface AuthorizedTokens
  extends Pick<
    PendingConsentRow,
    | 'applicationId'
    | 'connectionId'
    | 'accountId'
    | 'scopes'
    | 'subject'
    | 'issuer'
    | 'connectedAs'
    | 'tokenEndpoint'
    | 'replaceSubject'
    | 'issuedAt'
  > {
  readonly tokens: TokenSet & {
    /** Present if the user entered a key instead of consenting at the upstream. The access token is then this key. */
    readonly entered?: KeyDetails;
  };
}

export interface ExchangedCode {
  readonly authorized: AuthorizedTokens;
  /** OAuth client and authorization server with which the authorization code was exchanged for tokens. */
  readonly use: ConnectionOAuth;
}

export interface ExchangeCodeParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly describeOAuth: DescribeOAuth;
  readonly commit: Commit;
  readonly oauth: OAuth;
  readonly confirmRefusal: ConfirmRefusal;
  readonly vault: Vault;
  readonly environmentUrl: string;
  readonly now: () => number;
}

function startAgain(error: OAuthError): ServiceError {
  const code = error.failure === 'unavailable' ? 'unavailable' : 'forbidden';
  const message = `The authorization server did not complete the consent. ${START_AGAIN}`;
  return new ServiceError(code, message, undefined, { cause: error });
}

/** Converts an OAuth error to the error that the user sees when the upstream issued no tokens. */
function toExplained(error: OAuthError, { name }: ConnectionRow): ServiceError {
  if (error.isClientRefused) {
    return new ServiceError(
      'connection_not_configured',
      `The authorization server refuses the client id and secret of the connection "${name}". Correct both with PATCH /v1/connections/${name}.`,
      undefined,
      { cause: error },
    );
  }
  const explained = CONSENT_ERRORS.get(error.error ?? '');
  if (explained === undefined) return startAgain(error);
  return new ServiceError('forbidden', explained.message(name), undefined, { cause: error });
}

function toAuthorizedTokens(
  flow: AuthorizationFlowRow,
  response: TokenResponse,
  { use, issuedAt }: { readonly use: ConnectionOAuth; readonly issuedAt: number },
): AuthorizedTokens {
  const { applicationId, connectionId, accountId, scopes, tokenEndpoint, replaceSubject } = flow;
  const { accessToken, refreshToken, expiresIn } = response;
  return {
    applicationId,
    connectionId,
    accountId,
    scopes,
    tokenEndpoint,
    replaceSubject,
    subject: use.subjectIn(response),
    issuer: use.issuer,
    connectedAs: use.connectedAsIn(response),
    issuedAt,
    tokens: { accessToken, refreshToken, expiresIn, scopes: response.scopes },
  };
}

export function createExchangeCode(parts: ExchangeCodeParts) {
  const { storage, describeOAuth, commit, oauth, confirmRefusal, vault, environmentUrl, now } = parts;

  // Describes the OAuth server of a consent flow. Throws if it has changed, because the code is sent only to the token
  // endpoint with which the flow began (rule O12 in security-rules.md).
  async function describeFlow(
    flow: AuthorizationFlowRow,
    connection: ConnectionRow,
  ): Promise<ConnectionOAuth> {
    const use = await describeOAuth(connection);
    const isSameServer = use.issuer === null || use.issuer === flow.issuer;
    const isSameClient = use.server.tokenEndpoint === flow.tokenEndpoint && use.clientId === flow.clientId;
    if (isSameServer && isSameClient) {
      return { ...use, server: { ...use.server, issuer: flow.issuer ?? undefined } };
    }
    throw new ServiceError('conflict', `The connection was changed during the consent. ${START_AGAIN}`, {
      reason: 'connection_changed',
    });
  }

  const markRefused = (connection: ConnectionRow) =>
    commit(async ({ connections }, audit) => {
      const { applicationId, id: object } = connection;
      const reason = 'invalid_client';
      if (!(await connections.change(connection, { statusReason: reason }))) return;
      audit({ action: 'connection.refused_by_upstream', applicationId, object, reason });
    });

  async function fail(
    error: unknown,
    connection: ConnectionRow,
    { forgetClient, forgetServer }: ConnectionOAuth,
  ): Promise<never> {
    forgetServer();
    if (!(error instanceof OAuthError)) throw error;
    if (error.isClientRefused) {
      if (await forgetClient()) throw startAgain(error);
      await markRefused(connection);
    }
    throw toExplained(error, connection);
  }

  /** Exchanges the authorization code of a consumed flow for tokens. Throws the error that the user sees. */
  async function exchangeCode(flow: AuthorizationFlowRow, callback: URLSearchParams): Promise<ExchangedCode> {
    const connection = await storage.connections.find(flow.applicationId, flow.connectionId);
    if (!connection) throw consentIsOver();
    const use = await describeFlow(flow, connection);
    const verifier = await vault.open(codeVerifierLocation(flow), flow.codeVerifier);
    const redirectUri = redirectUriOf(environmentUrl, flow.connectionId);
    const client = await use.client();
    const connectionClient = { connectionId: connection.id, server: use.server, client };
    const response = await oauth
      .exchange(use.server, client, { callback, redirectUri, codeVerifier: verifier.reveal() })
      .catch(async (error: unknown) => fail(await confirmRefusal(error, connectionClient), connection, use));
    if (connection.statusReason !== null)
      await storage.connections.change(connection, { statusReason: null });
    return { authorized: toAuthorizedTokens(flow, response, { use, issuedAt: now() }), use };
  }
  return exchangeCode;
}

export type ExchangeCode = ReturnType<typeof createExchangeCode>;
