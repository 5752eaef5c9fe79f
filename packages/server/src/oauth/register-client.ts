import * as oauth from 'oauth4webapi';
import type { Fetch } from '../http/fetch.js';
import { isBlank } from '../text/is-blank.js';
import { parseObject } from '../text/json-object.js';
import { isPlainText } from '../text/plain-text.js';
import { checkStatus } from './check-status.js';
import { type ClientAuthenticationMethod, describeClient, type NewClient } from './describe-client.js';
import type { Discovered } from './discover.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';

/** Response of a dynamic client registration endpoint, including all fields that the server added. */
export type ClientRegistration = Readonly<Record<string, unknown>> & { readonly client_id: string };

const TIMEOUT_MS = 10_000;
const METHODS: readonly ClientAuthenticationMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

function methodFor({ clientAuthentications }: Discovered): ClientAuthenticationMethod {
  const method = METHODS.find((known) => clientAuthentications.includes(known));
  if (method !== undefined) return method;
  throw new OAuthError(
    'unusable',
    'The authorization server supports none of the client authentication methods of the service. Ask the operator of the authorization server to allow "client_secret_basic".',
  );
}

/** Throws OAuthError if the registered client uses an authentication method that the service does not support. */
function checkRegistration({ client_id: id, token_endpoint_auth_method: method }: ClientRegistration): void {
  if (!isPlainText(id))
    throw new OAuthError(
      'unusable',
      'The authorization server returned a client id that is not plain text. Set "clientId" and "clientSecret" of the connection instead.',
    );
  if (METHODS.some((known) => known === method)) return;
  throw new OAuthError(
    'unusable',
    `The authorization server registered a client with an authentication method other than ${METHODS.join(', ')}. Set "clientId" and "clientSecret" of the connection instead.`,
  );
}

/**
 * Normalizes deviations from RFC 7591. `null` and blank strings mean absent, a client id may be a number and an expiry
 * a text. A secret without an expiry does not expire, and a missing authentication method is the requested method.
 */
function normalizeRegistration(text: string, method: ClientAuthenticationMethod): string {
  const registration = parseObject(text);
  // A registration response that is not a JSON object stays unchanged. The OAuth library then rejects it with its own
  // error.
  if (registration === undefined) return text;
  const present = Object.fromEntries(Object.entries(registration).filter(([, value]) => !isBlank(value)));
  const { client_id: id, client_secret_expires_at: end } = present;
  const complete = {
    token_endpoint_auth_method: method,
    ...present,
    ...(Number.isSafeInteger(id) && { client_id: String(id) }),
    ...(typeof end === 'string' && { client_secret_expires_at: Number(end) || 0 }),
  };
  return JSON.stringify('client_secret' in present ? { client_secret_expires_at: 0, ...complete } : complete);
}

const REGISTRATION = {
  name: 'registration endpoint',
  advice:
    'Ask the operator of the authorization server to correct its metadata, or set "clientId" and "clientSecret" of the connection.',
};

function createRegistrationFetch(fetch: Fetch, connector: string, method: ClientAuthenticationMethod) {
  async function registrationFetch(
    url: string,
    init: oauth.CustomFetchOptions<'POST', string>,
  ): Promise<Response> {
    const response = await fetch(url, { ...init, connector });
    checkStatus(response, REGISTRATION);
    const text = await readLimited(response);
    // RFC 7591 requires status 201, but some servers respond with 200.
    return new Response(normalizeRegistration(text, method), {
      status: response.status === 200 ? 201 : response.status,
      headers: { 'content-type': 'application/json' },
    });
  }
  return registrationFetch;
}

export function createRegisterClient({ fetch }: { readonly fetch: Fetch }) {
  /** Registers an OAuth client dynamically (RFC 7591). Throws OAuthError. */
  async function registerClient(discovered: Discovered, client: NewClient): Promise<ClientRegistration> {
    const { server, registrationEndpoint } = discovered;
    if (registrationEndpoint === undefined) {
      throw new OAuthError(
        'unusable',
        'The authorization server does not let clients register themselves. Set "clientId" and "clientSecret" of the connection.',
      );
    }
    const method = methodFor(discovered);
    const { scopes } = discovered;
    try {
      const response = await oauth.dynamicClientRegistrationRequest(
        { issuer: server.issuer, registration_endpoint: registrationEndpoint },
        { ...describeClient(client, method), ...(scopes.length > 0 && { scope: scopes.join(' ') }) },
        {
          signal: AbortSignal.timeout(TIMEOUT_MS),
          [oauth.customFetch]: createRegistrationFetch(fetch, server.connector, method),
          [oauth.allowInsecureRequests]: true,
        },
      );
      const registration = await oauth.processDynamicClientRegistrationResponse(response);
      checkRegistration(registration);
      return registration;
    } catch (error) {
      throw toOAuthError(error);
    }
  }
  return registerClient;
}

export type RegisterClient = ReturnType<typeof createRegisterClient>;
