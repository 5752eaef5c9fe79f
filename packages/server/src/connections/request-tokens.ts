import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { OAuth, Tokens } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { ConnectionOAuth, DescribeOAuth } from './connection-oauth.js';

export interface RequestTokensParts {
  readonly oauth: OAuth;
  readonly describeOAuth: DescribeOAuth;
}

export interface Requested {
  readonly outcome: Tokens | { readonly error: unknown };
  /** The connection, marked because it registered again. */
  readonly marked?: ConnectionRow;
}

export interface TokenRequest {
  readonly use: ConnectionOAuth;
  readonly client: Client;
  readonly refreshToken: string;
}

/** One token request, and a second one where a client that registered itself has been forgotten. Never throws. */
export type RequestTokens = (request: TokenRequest) => Promise<Requested>;

const isClientRefused = (outcome: Requested['outcome']): boolean =>
  'error' in outcome && outcome.error instanceof OAuthError && outcome.error.isClientRefused;

export function createRequestTokens({ oauth, describeOAuth }: RequestTokensParts): RequestTokens {
  const ask = (refreshToken: string, server: AuthorizationServer, client: Client) =>
    oauth.refresh(server, client, refreshToken).catch((error: unknown) => ({ error }));

  async function registerAgain({ use, refreshToken }: TokenRequest, refused: Requested): Promise<Requested> {
    const marked = await use.forgetClient();
    if (marked === undefined) return refused;
    const { server, client } = await describeOAuth(marked);
    return { outcome: await ask(refreshToken, server, await client()), marked };
  }

  return async (request) => {
    const { use, client, refreshToken } = request;
    const first = { outcome: await ask(refreshToken, use.server, client) };
    if (!isClientRefused(first.outcome)) return first;
    return registerAgain(request, first).catch((error: unknown) => ({ outcome: { error } }));
  };
}
