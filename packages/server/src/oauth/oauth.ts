import * as oauth from 'oauth4webapi';
import { abortAfter } from '../http/abort-after.js';
import type { Fetch } from '../http/fetch.js';
import { isObject } from '../text/json-object.js';
import {
  type AuthorizationServer,
  type Client,
  type TokenRequestStyle,
  toMetadata,
} from './authorization-server.js';
import { translateCallbackError } from './foreign-codes.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { createTokenFetch } from './token-fetch.js';
import { CLAIMS } from './token-response.js';

/** Successful response of a token endpoint, after normalization. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Lifetime of the access token in seconds; `undefined` if the server does not send `expires_in`. */
  readonly expiresIn: number | undefined;
  /** Granted scopes; `undefined` if the server granted exactly the requested scopes and therefore omitted `scope`. */
  readonly scopes: readonly string[] | undefined;
  /** All other fields of the token response, which some connectors read. */
  readonly otherFields: Readonly<Record<string, unknown>>;
  /**
   * Claims of the ID token; empty without an ID token. The signature is not checked, because the token comes directly
   * from the token endpoint over TLS.
   */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface CodeExchange {
  /** Query parameters of the OAuth callback. */
  readonly callback: URLSearchParams;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

const TIMEOUT_MS = 10_000;

// RFC 6749, section 2.3.1, requires form encoding. `URLSearchParams` leaves "-" and "_" unencoded, which matters
// because many servers do not decode client ids.
const encodeForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

// Servers that accept JSON token requests compare the client id and secret without decoding them.
const unchanged = (text: string): string => text;

function basicAuthentication(secret: string, encode: (text: string) => string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = `${encode(client.client_id)}:${encode(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

function clientAuthentication({ secret }: Client, style: TokenRequestStyle): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  if (style.clientAuthentication === 'body') return oauth.ClientSecretPost(secret);
  return basicAuthentication(secret, style.body === 'json' ? unchanged : encodeForm);
}

function toTokenResponse(response: oauth.TokenEndpointResponse): TokenResponse {
  const { access_token, refresh_token, expires_in, scope, token_type: _, ...rest } = response;
  const { [CLAIMS]: claims, ...otherFields } = rest;
  return {
    accessToken: access_token,
    refreshToken: refresh_token || undefined,
    expiresIn: expires_in,
    scopes: scope?.split(' ').filter((name) => name !== '') ?? undefined,
    otherFields,
    claims: isObject(claims) ? claims : {},
  };
}

// RFC 9207: an `iss` in the callback must equal the expected issuer. If the server's issuer is unknown, `iss` is
// ignored.
function checkCallback(
  server: AuthorizationServer,
  client: oauth.Client,
  callback: URLSearchParams,
): URLSearchParams {
  const parameters = new URLSearchParams(callback);
  if (server.issuer === undefined) parameters.delete('iss');
  // The library treats an empty `iss` as absent, but an empty issuer is never the expected issuer.
  if (parameters.get('iss') === '')
    throw new OAuthError(
      'unusable',
      'The authorization server sent the user back with an empty iss parameter. Report this to the operator of the authorization server.',
    );
  const [error, ...others] = parameters.getAll('error');
  const description = parameters.get('error_description') ?? '';
  // Error codes are translated only if `error` appears once. The library refuses repeated parameters.
  if (error !== undefined && others.length === 0)
    parameters.set('error', translateCallbackError({ error, description }, server.errorCodes));
  return oauth.validateAuthResponse(toMetadata(server), client, parameters, oauth.skipStateCheck);
}

async function asOAuthError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toOAuthError(error);
  }
}

/**
 * Creates the stateless OAuth client. Each `AuthorizationServer` describes the deviations of its server from the OAuth
 * standards.
 */
export function createOAuth({
  fetch,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly fetch: Fetch;
  /** Timeout in milliseconds for a request and its response. Time while the process is suspended does not count. */
  readonly timeoutMs?: number;
}) {
  function prepare(server: AuthorizationServer, { id, secret }: Client) {
    const { resource, tokenRequest } = server;
    const options = {
      headers: tokenRequest.headers,
      signal: abortAfter(timeoutMs),
      [oauth.customFetch]: createTokenFetch(fetch, server),
      // The library would refuse all http URLs. `fetch` checks instead whether the connection may use http.
      [oauth.allowInsecureRequests]: true,
    };
    return {
      metadata: toMetadata(server),
      clientFields: { client_id: id },
      authentication: clientAuthentication({ id, secret }, tokenRequest),
      options,
      grantOptions: resource === undefined ? options : { ...options, additionalParameters: { resource } },
    };
  }

  /** Checks `iss` and `error` of an OAuth callback, and exchanges its authorization code for tokens. */
  function exchange(
    server: AuthorizationServer,
    client: Client,
    { callback, redirectUri, codeVerifier }: CodeExchange,
  ): Promise<TokenResponse> {
    return asOAuthError(async () => {
      const { metadata, clientFields, authentication, grantOptions } = prepare(server, client);
      const response = await oauth.authorizationCodeGrantRequest(
        metadata,
        clientFields,
        authentication,
        checkCallback(server, clientFields, callback),
        redirectUri,
        codeVerifier,
        grantOptions,
      );
      return toTokenResponse(await oauth.processAuthorizationCodeResponse(metadata, clientFields, response));
    });
  }

  function refresh(
    server: AuthorizationServer,
    client: Client,
    refreshToken: string,
  ): Promise<TokenResponse> {
    return asOAuthError(async () => {
      const { metadata, clientFields, authentication, grantOptions } = prepare(server, client);
      const response = await oauth.refreshTokenGrantRequest(
        metadata,
        clientFields,
        authentication,
        refreshToken,
        grantOptions,
      );
      return toTokenResponse(await oauth.processRefreshTokenResponse(metadata, clientFields, response));
    });
  }

  function revoke(server: AuthorizationServer, client: Client, token: string): Promise<void> {
    return asOAuthError(async () => {
      if (server.revocationEndpoint === undefined) {
        throw new OAuthError(
          'unusable',
          'The authorization server has no revocation endpoint. Revoke the access in the settings of the upstream.',
        );
      }
      const { metadata, clientFields, authentication, options } = prepare(server, client);
      const response = await oauth.revocationRequest(metadata, clientFields, authentication, token, options);
      await oauth.processRevocationResponse(response);
    });
  }

  return { exchange, refresh, revoke };
}

export type OAuth = ReturnType<typeof createOAuth>;
