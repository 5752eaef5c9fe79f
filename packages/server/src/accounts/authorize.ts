import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { authorizationUrl } from '../oauth/authorization-url.js';
import type { OAuth, Tokens } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { AuthorizationFlowRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Approval } from './approval.js';
import type { AuthorizationLinks } from './authorization-links.js';
import { redirectUriOf } from './connection.js';
import type { ConnectionOAuth, DescribeOAuth } from './connection-oauth.js';
import { newId, newToken, type Random } from './random.js';
import type { RootKey } from './root-key.js';
import type { SaveTokens } from './save-tokens.js';
import { secret } from './secret.js';
import type { Place, Vault } from './vault.js';

export interface AuthorizeParts {
  readonly storage: Pick<Storage, 'connections' | 'authorizationFlows'>;
  readonly links: Pick<AuthorizationLinks, 'find' | 'use'>;
  readonly describeOAuth: DescribeOAuth;
  readonly saveTokens: SaveTokens;
  readonly oauth: OAuth;
  readonly vault: Vault;
  readonly rootKey: RootKey;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export interface Callback {
  /** From the path. */
  readonly connectionId: string;
  readonly parameters: URLSearchParams;
  /** The cookie that the browser got when it opened the link. */
  readonly browser: string | undefined;
}

export interface Authorize {
  /** What the connect page asks. Does not use the link. */
  ask(token: string): Promise<Approval>;
  /** The user agreed: uses the link, and gives the URL of the upstream's own consent page. */
  begin(token: string, browser: string): Promise<{ readonly redirectTo: string }>;
  /** The user is back: exchanges the code and stores the tokens. */
  complete(callback: Callback): Promise<Approval>;
}

const LIFE_MS = 10 * 60_000;

const verifierPlace = ({ applicationId, id }: Pick<AuthorizationFlowRow, 'applicationId' | 'id'>): Place => ({
  applicationId,
  table: 'authorization_flows',
  rowId: id,
  column: 'code_verifier',
});

const refused = () =>
  new ServiceError(
    'forbidden',
    'This approval is over: it was completed, took too long, or was begun in another browser. Go back to the application and start again.',
  );

export function createAuthorize(parts: AuthorizeParts): Authorize {
  const { storage, links, describeOAuth, saveTokens, oauth, vault, rootKey, environmentUrl, now, random } =
    parts;
  const digests = (state: string, browser: string) => ({
    stateDigest: rootKey.digest('state', state),
    browserDigest: rootKey.digest('browser', browser),
  });

  // One statement finds and consumes the flow, so that what does not fit together causes no token request.
  async function consume({ connectionId, parameters, browser }: Callback): Promise<AuthorizationFlowRow> {
    const state = parameters.get('state');
    if (state === null || browser === undefined) throw refused();
    const flow = await storage.authorizationFlows.consumeFlow({
      ...digests(state, browser),
      connectionId,
      now: now(),
    });
    if (!flow) throw refused();
    return flow;
  }

  // Rule O12: the code goes to the endpoint, and the secret to the client, that the flow was begun with.
  async function describeFlow(
    flow: AuthorizationFlowRow,
  ): Promise<{ connection: ConnectionRow; use: ConnectionOAuth }> {
    const connection = await storage.connections.find(flow.applicationId, flow.connectionId);
    if (!connection) throw refused();
    const use = describeOAuth(connection);
    if (use.server.tokenEndpoint === flow.tokenEndpoint && use.clientId === flow.clientId) {
      return { connection, use: { ...use, server: { ...use.server, issuer: flow.issuer ?? undefined } } };
    }
    throw new ServiceError(
      'conflict',
      'The connection was changed during the approval. Go back to the application and start again.',
    );
  }

  async function explain(error: unknown, { applicationId, id, name }: ConnectionRow): Promise<never> {
    if (!(error instanceof OAuthError)) throw error;
    if (error.error === 'access_denied') {
      throw new ServiceError(
        'forbidden',
        'The access was not granted, so nothing was connected. You can close this window.',
      );
    }
    if (error.error === 'invalid_client' || error.error === 'unauthorized_client') {
      await storage.connections.update(applicationId, id, { statusReason: 'invalid_client' });
      throw new ServiceError(
        'connection_not_configured',
        `The service does not accept the client id and secret of the connection "${name}". Tell the application's developer.`,
      );
    }
    throw new ServiceError(
      error.failure === 'unavailable' ? 'unavailable' : 'forbidden',
      'The approval could not be completed with the service. Go back to the application and start again.',
      undefined,
      { cause: error },
    );
  }

  async function exchange(
    flow: AuthorizationFlowRow,
    parameters: URLSearchParams,
  ): Promise<{ use: ConnectionOAuth; tokens: Tokens }> {
    const { connection, use } = await describeFlow(flow);
    const verifier = await vault.open(verifierPlace(flow), flow.codeVerifier);
    const tokens = await oauth
      .exchange(use.server, await use.client(), {
        callback: parameters,
        redirectUri: redirectUriOf(environmentUrl, flow.connectionId),
        codeVerifier: verifier.reveal(),
      })
      .catch((error: unknown) => explain(error, connection));
    return { use, tokens };
  }

  return {
    ask: async (token) => (await links.find(token)).approval,

    async begin(token, browser) {
      const { link, account, connection } = await links.find(token);
      const { server, clientId, scopes } = describeOAuth(connection);
      const [state, verifier] = [newToken(random), newToken(random)];
      const key = { applicationId: account.applicationId, id: newId('flow', random) };
      const codeVerifier = await vault.seal(verifierPlace(key), secret(verifier));
      await links.use(token);
      await storage.authorizationFlows.insertFlow({
        ...key,
        ...digests(state, browser),
        connectionId: connection.id,
        accountId: account.id,
        codeVerifier,
        clientId,
        issuer: server.issuer ?? null,
        tokenEndpoint: server.tokenEndpoint,
        scopes: JSON.stringify(scopes),
        replaceSubject: link.replaceSubject,
        expiresAt: now() + LIFE_MS,
        consumedAt: null,
      });
      const redirectUri = redirectUriOf(environmentUrl, connection.id);
      const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
      return {
        redirectTo: authorizationUrl(server, { clientId, redirectUri, scopes, state, codeChallenge }),
      };
    },

    async complete(callback) {
      const flow = await consume(callback);
      const { use, tokens } = await exchange(flow, callback.parameters);
      return saveTokens({ flow, use, tokens });
    },
  };
}
