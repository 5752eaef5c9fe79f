import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { OAuth } from '../oauth/oauth.js';
import { OAuthError, toOAuthError } from '../oauth/oauth-error.js';
import type { Random } from '../random.js';
import { redirectUriOf } from './connection.js';

export interface TryClientParts {
  readonly oauth: Pick<OAuth, 'exchange'>;
  readonly environmentUrl: string;
  readonly random: Random;
}

/** A client of a connection, as it shows itself to the authorization server. */
export interface ShownClient {
  readonly connectionId: string;
  readonly server: AuthorizationServer;
  readonly client: Client;
}

/**
 * Asks with a code that is none: a server that knows the client refuses the code, and another one the client. Gives the
 * refusal; `undefined` where any code is taken.
 */
export function createTryClient({ oauth, environmentUrl, random }: TryClientParts) {
  return async ({ connectionId, server, client }: ShownClient): Promise<OAuthError | undefined> => {
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
  };
}

/**
 * Believes that a client is refused only where it is without what one user brought, too: some servers say so of a code or a
 * refresh token that another client was given, or of one user's organization, and nobody's word may end the access of all others.
 */
export function createConfirmRefusal(parts: TryClientParts) {
  const tryClient = createTryClient(parts);
  return async (error: unknown, shown: ShownClient): Promise<unknown> => {
    if (!(error instanceof OAuthError) || !error.isClientRefused) return error;
    const refusal = await tryClient(shown);
    if (refusal?.isClientRefused) return error;
    return new OAuthError('refused', error.message, error.error === undefined ? {} : { error: error.error });
  };
}
