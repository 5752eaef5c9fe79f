import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { OAuth } from '../oauth/oauth.js';
import { OAuthError, toOAuthError } from '../oauth/oauth-error.js';
import type { Random } from '../text/random.js';
import { redirectUriOf } from './connection.js';

export interface TryClientParts {
  readonly oauth: Pick<OAuth, 'exchange'>;
  readonly environmentUrl: string;
  readonly random: Random;
}

/** OAuth client of a connection, with its authorization server. */
export interface ConnectionClient {
  readonly connectionId: string;
  readonly server: AuthorizationServer;
  readonly client: Client;
}

export function createTryClient({ oauth, environmentUrl, random }: TryClientParts) {
  /**
   * Tests an OAuth client with an invented authorization code. A server that knows the client refuses the code;
   * otherwise it refuses the client. Resolves to the error, or to `undefined` if the server accepts the code.
   */
  async function tryClient({
    connectionId,
    server,
    client,
  }: ConnectionClient): Promise<OAuthError | undefined> {
    const text = () => random(32).toString('base64url');
    const callback = new URLSearchParams({
      code: text(),
      ...(server.issuer !== undefined && { iss: server.issuer }),
    });
    const redirectUri = redirectUriOf(environmentUrl, connectionId);
    try {
      await oauth.exchange(server, client, { callback, redirectUri, codeVerifier: text() });
      return undefined;
    } catch (error) {
      return toOAuthError(error);
    }
  }
  return tryClient;
}

export type TryClient = ReturnType<typeof createTryClient>;

export function createConfirmRefusal(tryClient: TryClient) {
  /**
   * Checks by another request, without the user's code or token, whether the server really refuses the OAuth client.
   * Some servers respond with `invalid_client` because one user's code is wrong. That must not affect all other users.
   */
  async function confirmRefusal(error: unknown, client: ConnectionClient): Promise<unknown> {
    if (!(error instanceof OAuthError) || !error.isClientRefused) return error;
    const refusal = await tryClient(client);
    if (refusal?.isClientRefused) return error;
    return new OAuthError('refused', error.message, error.error === undefined ? {} : { error: error.error });
  }
  return confirmRefusal;
}

export type ConfirmRefusal = ReturnType<typeof createConfirmRefusal>;
