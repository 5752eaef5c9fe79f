import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { OAuth, TokenResponse } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { ConnectionOAuth, DescribeOAuth } from './connection-oauth.js';
import type { ConfirmRefusal } from './try-client.js';

export interface RequestTokensParts {
  readonly oauth: OAuth;
  readonly confirmRefusal: ConfirmRefusal;
  readonly describeOAuth: DescribeOAuth;
}

export interface Requested {
  readonly outcome: TokenResponse | { readonly error: unknown };
  /**
   * Connection with the status `invalid_client`, which was set because its OAuth client was refused and a new one was
   * registered. Absent otherwise.
   */
  readonly marked?: ConnectionRow;
}

export interface TokenRequest {
  readonly connectionId: string;
  readonly use: ConnectionOAuth;
  readonly client: Client;
  readonly refreshToken: string;
  /** Called before the refresh token is sent a second time. Throws if another process may be using the token. */
  readonly beforeRepeat?: () => Promise<void>;
}

const isClientRefused = (outcome: Requested['outcome']): boolean =>
  'error' in outcome && outcome.error instanceof OAuthError && outcome.error.isClientRefused;

export function createRequestTokens({ oauth, confirmRefusal, describeOAuth }: RequestTokensParts) {
  const refresh = (refreshToken: string, server: AuthorizationServer, client: Client) =>
    oauth.refresh(server, client, refreshToken).catch((error: unknown) => ({ error }));

  async function registerAgain(
    { use, refreshToken, beforeRepeat }: TokenRequest,
    refused: Requested,
  ): Promise<Requested> {
    const marked = await use.forgetClient();
    if (marked === undefined) return refused;
    const { server, client } = await describeOAuth(marked);
    const registered = await client();
    await beforeRepeat?.();
    return { outcome: await refresh(refreshToken, server, registered), marked };
  }

  /**
   * Sends a token request. If the server refuses a dynamically registered OAuth client, registers a new client and
   * repeats the request. Never rejects.
   */
  async function requestTokens(request: TokenRequest): Promise<Requested> {
    const { connectionId, use, client, refreshToken } = request;
    const outcome = await refresh(refreshToken, use.server, client);
    if (!('error' in outcome)) return { outcome };
    const error = await confirmRefusal(outcome.error, { connectionId, server: use.server, client });
    const first = { outcome: { error } };
    if (!isClientRefused(first.outcome)) return first;
    return registerAgain(request, first).catch((error: unknown) => ({ outcome: { error } }));
  }
  return requestTokens;
}

export type RequestTokens = ReturnType<typeof createRequestTokens>;
