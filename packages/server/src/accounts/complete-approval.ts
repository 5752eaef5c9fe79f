import { ServiceError } from '../errors.js';
import type { OAuth } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { AuthorizationFlowRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Approval } from './approval.js';
import { flowDigests, verifierPlace } from './authorization-flow.js';
import { redirectUriOf } from './connection.js';
import type { ConnectionOAuth, DescribeOAuth } from './connection-oauth.js';
import type { Digest } from './pepper.js';
import type { Grant, SaveTokens } from './save-tokens.js';
import type { Vault } from './vault.js';

export interface CompleteApprovalParts {
  readonly storage: Pick<Storage, 'connections' | 'authorizationFlows'>;
  readonly describeOAuth: DescribeOAuth;
  readonly saveTokens: SaveTokens;
  readonly oauth: OAuth;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
}

export interface Callback {
  /** From the path. */
  readonly connectionId: string;
  readonly parameters: URLSearchParams;
  /** The cookie that the browser got when it opened the link. */
  readonly browser: string | undefined;
}

const START_AGAIN = 'Go back to the application and start again.';

const approvalIsOver = () =>
  new ServiceError(
    'forbidden',
    `This approval is over: it was completed, took too long, or was begun in another browser. ${START_AGAIN}`,
  );

/** What the user is told when the upstream gave no tokens. */
function toExplained(error: OAuthError, { name }: ConnectionRow): ServiceError {
  if (error.error === 'access_denied') {
    return new ServiceError(
      'forbidden',
      'The access was not granted, so nothing was connected. You can close this window.',
    );
  }
  if (error.isClientRefused) {
    return new ServiceError(
      'connection_not_configured',
      `The service does not accept the client id and secret of the connection "${name}". Tell the application's developer.`,
    );
  }
  return startAgain(error);
}

function startAgain(error: OAuthError): ServiceError {
  const code = error.failure === 'unavailable' ? 'unavailable' : 'forbidden';
  const message = `The approval could not be completed with the service. ${START_AGAIN}`;
  return new ServiceError(code, message, undefined, { cause: error });
}

export function createCompleteApproval(parts: CompleteApprovalParts) {
  const { storage, describeOAuth, saveTokens, oauth, vault, digest, environmentUrl, now } = parts;

  // One statement finds and consumes the flow, so that what does not fit together causes no token request.
  async function consume({ connectionId, parameters, browser }: Callback): Promise<AuthorizationFlowRow> {
    const state = parameters.get('state');
    if (state === null || browser === undefined) throw approvalIsOver();
    const digests = flowDigests(digest, state, { browser });
    const flow = await storage.authorizationFlows.consumeFlow({ ...digests, connectionId, now: now() });
    if (!flow) throw approvalIsOver();
    return flow;
  }

  // Rule O12: the code goes to the endpoint that the flow was begun with, or nowhere.
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
    throw new ServiceError('conflict', `The connection was changed during the approval. ${START_AGAIN}`);
  }

  async function explain(
    error: unknown,
    connection: ConnectionRow,
    { forgetClient, forgetServer }: ConnectionOAuth,
  ): Promise<never> {
    forgetServer();
    if (!(error instanceof OAuthError)) throw error;
    if (error.isClientRefused) {
      if (await forgetClient()) throw startAgain(error);
      const { applicationId, id } = connection;
      await storage.connections.update(applicationId, id, { statusReason: 'invalid_client' });
    }
    throw toExplained(error, connection);
  }

  async function exchange(flow: AuthorizationFlowRow, callback: URLSearchParams): Promise<Grant> {
    const connection = await storage.connections.find(flow.applicationId, flow.connectionId);
    if (!connection) throw approvalIsOver();
    const use = await describeFlow(flow, connection);
    const verifier = await vault.open(verifierPlace(flow), flow.codeVerifier);
    const redirectUri = redirectUriOf(environmentUrl, flow.connectionId);
    const tokens = await oauth
      .exchange(use.server, await use.client(), { callback, redirectUri, codeVerifier: verifier.reveal() })
      .catch((error: unknown) => explain(error, connection, use));
    if (connection.statusReason !== null) {
      await storage.connections.update(connection.applicationId, connection.id, { statusReason: null });
    }
    return { flow, use, tokens };
  }

  return async (callback: Callback): Promise<Approval> =>
    saveTokens(await exchange(await consume(callback), callback.parameters));
}
