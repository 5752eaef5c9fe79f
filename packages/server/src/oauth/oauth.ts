import * as oauth from 'oauth4webapi';
import { abortAfter } from '../http/abort-after.js';
import type { Fetch } from '../http/fetch.js';
import {
  type AuthorizationServer,
  type Client,
  type TokenRequestStyle,
  toMetadata,
} from './authorization-server.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { CLAIMS, isObject } from './token-answer.js';
import { createTokenFetch } from './token-fetch.js';

export interface OAuthParts {
  readonly fetch: Fetch;
  /** Of one request to the authorization server, its answer included, while the process runs. */
  readonly timeoutMs?: number;
}

/** What a token endpoint granted. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds; `undefined` when the server does not say. */
  readonly expiresIn: number | undefined;
  /** `undefined` when they are those that were asked for. */
  readonly scopes: readonly string[] | undefined;
  /** Every other field of the answer. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** Of the ID token, whose signature is not checked; empty when there is none. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface CodeExchange {
  /** The parameters that the browser brought to the callback. */
  readonly callback: URLSearchParams;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

export interface OAuth {
  /** Checks `iss` and `error` of a callback, and exchanges its code. Throws OAuthError, as the others do. */
  exchange(server: AuthorizationServer, client: Client, exchange: CodeExchange): Promise<Tokens>;
  refresh(server: AuthorizationServer, client: Client, refreshToken: string): Promise<Tokens>;
  revoke(server: AuthorizationServer, client: Client, token: string): Promise<void>;
}

const TIMEOUT_MS = 10_000;

// RFC 6749, section 2.3.1, asks for form encoding. It leaves "-" and "_" as they are, because many servers do not decode ids.
const encodeForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

// Servers that take JSON compare the unencoded id and secret.
const keepAsIs = (text: string): string => text;

function basicAuthentication(secret: string, encode: (text: string) => string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = `${encode(client.client_id)}:${encode(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

function clientAuthentication({ secret }: Client, style: TokenRequestStyle): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  if (style.clientAuthentication === 'body') return oauth.ClientSecretPost(secret);
  return basicAuthentication(secret, style.body === 'json' ? keepAsIs : encodeForm);
}

function toTokens(reply: oauth.TokenEndpointResponse): Tokens {
  const { access_token, refresh_token, expires_in, scope, token_type: _, ...rest } = reply;
  const { [CLAIMS]: claims, ...answer } = rest;
  return {
    accessToken: access_token,
    refreshToken: refresh_token || undefined,
    expiresIn: expires_in,
    scopes: scope?.split(' ').filter((name) => name !== '') ?? undefined,
    answer,
    claims: isObject(claims) ? claims : {},
  };
}

// RFC 9207: an iss that came must be the expected one, compared as it is; when none is known there is nothing to compare.
function checkCallback(
  server: AuthorizationServer,
  client: oauth.Client,
  callback: URLSearchParams,
): URLSearchParams {
  const parameters = new URLSearchParams(callback);
  if (server.issuer === undefined) parameters.delete('iss');
  // The library takes an empty one for none.
  if (parameters.get('iss') === '') throw new OAuthError('unusable', 'The callback names an empty issuer.');
  return oauth.validateAuthResponse(toMetadata(server), client, parameters, oauth.skipStateCheck);
}

async function asOAuthError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toOAuthError(error);
  }
}

/** The protocol and nothing else: it keeps no state and takes every habit of a server as data. */
export function createOAuth({ fetch, timeoutMs = TIMEOUT_MS }: OAuthParts): OAuth {
  const prepare = (server: AuthorizationServer, { id, secret }: Client) => {
    const { resource, tokenRequest } = server;
    return {
      metadata: toMetadata(server),
      client: { client_id: id },
      authentication: clientAuthentication({ id, secret }, tokenRequest),
      options: {
        headers: tokenRequest.headers,
        signal: abortAfter(timeoutMs),
        [oauth.customFetch]: createTokenFetch(fetch, server),
        // The connection's rules decide where http is allowed; the door to the network checks the address.
        [oauth.allowInsecureRequests]: true,
      },
      grantOptions: resource === undefined ? {} : { additionalParameters: { resource } },
    };
  };

  return {
    exchange: (server, client, { callback, redirectUri, codeVerifier }) =>
      asOAuthError(async () => {
        const { metadata, client: named, authentication, options, grantOptions } = prepare(server, client);
        const response = await oauth.authorizationCodeGrantRequest(
          metadata,
          named,
          authentication,
          checkCallback(server, named, callback),
          redirectUri,
          codeVerifier,
          { ...options, ...grantOptions },
        );
        return toTokens(await oauth.processAuthorizationCodeResponse(metadata, named, response));
      }),

    refresh: (server, client, refreshToken) =>
      asOAuthError(async () => {
        const { metadata, client: named, authentication, options, grantOptions } = prepare(server, client);
        const response = await oauth.refreshTokenGrantRequest(metadata, named, authentication, refreshToken, {
          ...options,
          ...grantOptions,
        });
        return toTokens(await oauth.processRefreshTokenResponse(metadata, named, response));
      }),

    revoke: (server, client, token) =>
      asOAuthError(async () => {
        if (server.revocationEndpoint === undefined) {
          throw new OAuthError('unusable', 'The authorization server has no revocation endpoint.');
        }
        const { metadata, client: named, authentication, options } = prepare(server, client);
        const response = await oauth.revocationRequest(metadata, named, authentication, token, options);
        await oauth.processRevocationResponse(response);
      }),
  };
}
