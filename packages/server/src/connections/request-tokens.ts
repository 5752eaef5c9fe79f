import type { AuthorizationServer, Client } from '../oauth/authorization-server.js';
import type { OAuth, Tokens } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { ConnectionOAuth, DescribeOAuth } from './connection-oauth.js';
import { createConfirmRefusal, type TryClientParts } from './try-client.js';

export interface RequestTokensParts extends TryClientParts {
  readonly oauth: OAuth;
  readonly describeOAuth: DescribeOAuth;
}

export interface Requested {
  readonly outcome: Tokens | { readonly error: unknown };
  /** The connection, marked because it registered again. */
  readonly marked?: ConnectionRow;
}

export interface TokenRequest {
  readonly connectionId: string;
  readonly use: ConnectionOAuth;
  readonly client: Client;
  readonly refreshToken: string;
}

/** One token request, and a second one where a client that registered itself has been forgotten. Never throws. */
export type RequestTokens = (request: TokenRequest) => Promise<Requested>;

const isClientRefused = (outcome: Requested['outcome']): boolean =>
  'error' in outcome && outcome.error instanceof OAuthError && outcome.error.isClientRefused;

export function createRequestTokens(parts: RequestTokensParts): RequestTokens {
  const { oauth, describeOAuth } = parts;
  const confirmRefusal = createConfirmRefusal(parts);
  const ask = (refreshToken: string, server: AuthorizationServer, client: Client) =>
    oauth.refresh(server, client, refreshToken).catch((error: unknown) => ({ error }));

  async function registerAgain({ use, refreshToken }: TokenRequest, refused: Requested): Promise<Requested> {
    const marked = await use.forgetClient();
    if (marked === undefined) return refused;
    const { server, client } = await describeOAuth(marked);
    return { outcome: await ask(refreshToken, server, await client()), marked };
  }

  return async (request) => {
    const { connectionId, use, client, refreshToken } = request;
    const outcome = await ask(refreshToken, use.server, client);
    if (!('error' in outcome)) return { outcome };
    const error = await confirmRefusal(outcome.error, { connectionId, server: use.server, client });
    const first = { outcome: { error } };
    if (!isClientRefused(first.outcome)) return first;
    return registerAgain(request, first).catch((error: unknown) => ({ outcome: { error } }));
  };
}
