import * as oauth from 'oauth4webapi';
import type { Fetch } from '../http/fetch.js';
import { isPlainText } from '../text/plain-text.js';
import { checkStatus } from './check-status.js';
import { type ClientAuthenticationMethod, describeClient, type NewClient } from './describe-client.js';
import type { Discovered } from './discover.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';
import { isObject } from './token-answer.js';

/** The answer of a registration endpoint, with everything that the server said or changed. */
export type ClientRegistration = Readonly<Record<string, unknown>> & { readonly client_id: string };

/** Registers a client (RFC 7591). Throws OAuthError. */
export type RegisterClient = (discovered: Discovered, client: NewClient) => Promise<ClientRegistration>;

const TIMEOUT_MS = 10_000;
const METHODS: readonly ClientAuthenticationMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

function metadataOf({ clientAuthentications, scopes }: Discovered, client: NewClient) {
  const method = METHODS.find((known) => clientAuthentications.includes(known));
  if (method === undefined) {
    throw new OAuthError('unusable', 'The authorization server takes no client that the service can be.');
  }
  return {
    ...describeClient(client, method),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}

/** Brings the habits of servers into the form of RFC 7591: `null` means absent, and a secret whose end is not told does not end. */
function normalizeRegistration(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    if (!isObject(answer)) return text;
    const told = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
    return JSON.stringify('client_secret' in told ? { client_secret_expires_at: 0, ...told } : told);
  } catch {
    // What is no JSON is refused by the library.
    return text;
  }
}

const createRegistrationFetch =
  (fetch: Fetch, connector: string) =>
  async (url: string, init: oauth.CustomFetchOptions<'POST', string>): Promise<Response> => {
    const response = await fetch(url, { ...init, connector });
    checkStatus(response);
    const text = await readLimited(response);
    // RFC 7591 has 201; some servers say 200 to the same.
    return new Response(normalizeRegistration(text), {
      status: response.status === 200 ? 201 : response.status,
      headers: { 'content-type': 'application/json' },
    });
  };

export const createRegisterClient =
  ({ fetch }: { readonly fetch: Fetch }): RegisterClient =>
  async (discovered, client) => {
    const { server, registrationEndpoint } = discovered;
    if (registrationEndpoint === undefined) {
      throw new OAuthError('unusable', 'The authorization server does not let clients register themselves.');
    }
    try {
      const response = await oauth.dynamicClientRegistrationRequest(
        { issuer: server.issuer, registration_endpoint: registrationEndpoint },
        metadataOf(discovered, client),
        {
          signal: AbortSignal.timeout(TIMEOUT_MS),
          [oauth.customFetch]: createRegistrationFetch(fetch, server.connector),
          [oauth.allowInsecureRequests]: true,
        },
      );
      const answer = await oauth.processDynamicClientRegistrationResponse(response);
      if (isPlainText(answer.client_id)) return answer;
      throw new OAuthError('unusable', 'The client id that the authorization server gave is no plain text.');
    } catch (error) {
      throw toOAuthError(error);
    }
  };
