import * as oauth from 'oauth4webapi';
import type { Fetch } from '../http/fetch.js';
import { parseObject } from '../text/json-object.js';
import { isPlainText } from '../text/plain-text.js';
import { checkStatus } from './check-status.js';
import { type ClientAuthenticationMethod, describeClient, type NewClient } from './describe-client.js';
import type { Discovered } from './discover.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';

/** Response of a registration endpoint, with all fields of the server. */
export type ClientRegistration = Readonly<Record<string, unknown>> & { readonly client_id: string };

const TIMEOUT_MS = 10_000;
const METHODS: readonly ClientAuthenticationMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

function metadataOf({ clientAuthentications, scopes }: Discovered, client: NewClient) {
  const method = METHODS.find((known) => clientAuthentications.includes(known));
  if (method === undefined) {
    throw new OAuthError(
      'unusable',
      'The authorization server supports no kind of client that the service can use.',
    );
  }
  return {
    ...describeClient(client, method),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}

/** Normalizes deviations from RFC 7591: `null` means absent, and a secret without an expiry time does not expire. */
function normalizeRegistration(text: string): string {
  const registration = parseObject(text);
  // The library refuses other texts.
  if (registration === undefined) return text;
  const present = Object.fromEntries(Object.entries(registration).filter(([, value]) => value !== null));
  return JSON.stringify('client_secret' in present ? { client_secret_expires_at: 0, ...present } : present);
}

function createRegistrationFetch(fetch: Fetch, connector: string) {
  async function registrationFetch(
    url: string,
    init: oauth.CustomFetchOptions<'POST', string>,
  ): Promise<Response> {
    const response = await fetch(url, { ...init, connector });
    checkStatus(response);
    const text = await readLimited(response);
    // RFC 7591 requires 201. Some servers send 200.
    return new Response(normalizeRegistration(text), {
      status: response.status === 200 ? 201 : response.status,
      headers: { 'content-type': 'application/json' },
    });
  }
  return registrationFetch;
}

export function createRegisterClient({ fetch }: { readonly fetch: Fetch }) {
  /** Registers a client (RFC 7591). Throws OAuthError. */
  async function registerClient(discovered: Discovered, client: NewClient): Promise<ClientRegistration> {
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
      const registration = await oauth.processDynamicClientRegistrationResponse(response);
      if (isPlainText(registration.client_id)) return registration;
      throw new OAuthError(
        'unusable',
        'The authorization server returned a client id that is not plain text.',
      );
    } catch (error) {
      throw toOAuthError(error);
    }
  }
  return registerClient;
}

export type RegisterClient = ReturnType<typeof createRegisterClient>;
