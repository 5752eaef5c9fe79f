import { createHash, randomBytes } from 'node:crypto';
import { type Application, signIn } from '../service/application.js';
import type { Service } from '../service/service.js';

/** Redirect URI of the client. Nothing listens there: tests read the code from the redirect. */
export const REDIRECT_URI = 'http://127.0.0.1:8765/callback';
/** Sign-in URL of the application. Nothing listens there: tests read the ticket from the redirect. */
export const SIGN_IN_URL = 'https://app.example.com/sign-in';

export interface BrowserReply {
  readonly status: number;
  readonly csp: string;
  readonly location: string;
  readonly text: string;
}

interface BrowserInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Browser = (url: string, init?: BrowserInit) => Promise<BrowserReply>;

/** Creates a test browser with its own cookie jar. It does not follow redirects. */
export function createBrowser(): Browser {
  let cookie = '';
  return async (url, init = {}) => {
    const headers = { ...init.headers, ...(cookie && { cookie }) };
    const reply = await fetch(url, { redirect: 'manual', ...init, headers });
    const [set] = reply.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    return {
      status: reply.status,
      csp: reply.headers.get('content-security-policy') ?? '',
      location: reply.headers.get('location') ?? '',
      text: await reply.text(),
    };
  };
}

export interface Signing {
  readonly service: Service;
  readonly application: Application;
  readonly clientId: string;
  readonly issuer: string;
  readonly resource: string;
}

/** Enables agent access for the application's users, and registers an MCP client. */
export async function openSignIn(service: Service, settings: object = {}): Promise<Signing> {
  const application = await signIn(service);
  await application.call('PUT', '/v1/agent-access', { body: { signInUrl: SIGN_IN_URL, ...settings } });
  const body = { name: 'Desk helper', redirectUris: ['http://127.0.0.1/callback'] };
  const client = (await application.call('POST', '/v1/agent-clients', { body })).json<{ id: string }>();
  return {
    service,
    application,
    clientId: client.id,
    issuer: `${service.url}/agents/${service.clientId}`,
    resource: `${service.url}/mcp/apps/${service.clientId}`,
  };
}

/** Creates a second application of the service, and signs in as it. */
export async function addOther({ app, url }: Service) {
  const { id: clientId, clientSecret } = await app.applications.create('Another application');
  return { clientId, application: await signIn({ url, clientId, clientSecret }) };
}

export const createVerifier = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** Builds the authorization URL to which a client sends its user's browser; `undefined` removes a parameter. */
export function authorizeUrl(
  { clientId, issuer, resource }: Signing,
  challenge: string,
  given: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(`${issuer}/authorize`);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'of the client',
    resource,
    ...given,
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Reports to the service, as the application's server, which user presented the sign-in ticket of this URL. */
export async function identify({ application }: Signing, location: string, identifier = 'user_42') {
  const ticket = new URL(location).searchParams.get('sign_in_ticket') ?? '';
  return application.call('POST', '/v1/agent-sign-ins', { body: { ticket, identifier } });
}

export const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
};

/** Sends the browser through the sign-in, and returns the URL of the consent page. */
export async function reachConsent(signing: Signing, url: string, browser: Browser): Promise<string> {
  const { location } = await browser(url);
  return (await identify(signing, location)).json<{ redirectTo: string }>().redirectTo;
}

/** Runs the sign-in and consents. Returns the client's redirect URL with the authorization code. */
export async function agree(signing: Signing, url: string, browser = createBrowser()): Promise<URL> {
  const consent = await reachConsent(signing, url, browser);
  await browser(consent);
  const { location } = await browser(consent, { method: 'POST', headers: FORM, body: 'decision=allow' });
  return new URL(location);
}

export interface TokenReply {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** Sends a form to the token endpoint. */
export async function postForm(url: string, form: Readonly<Record<string, string>>): Promise<TokenReply> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  // Cast is safe, because tests read only text fields of the response.
  const body = (await reply.json()) as TokenReply['body'];
  return { status: reply.status, body };
}

/** Form that exchanges an authorization code for tokens. */
export const codeForm = ({ clientId, resource }: Signing, code: string, verifier: string) => ({
  grant_type: 'authorization_code',
  code,
  client_id: clientId,
  redirect_uri: REDIRECT_URI,
  code_verifier: verifier,
  resource,
});

/** Runs the sign-in with consent, and returns the tokens of the grant. */
export async function grantTokens(signing: Signing, given: Readonly<Record<string, string>> = {}) {
  const { verifier, challenge } = createVerifier();
  const back = await agree(signing, authorizeUrl(signing, challenge, given));
  const form = codeForm(signing, back.searchParams.get('code') ?? '', verifier);
  const resource = given['resource'] ?? signing.resource;
  const { body } = await postForm(`${signing.issuer}/token`, { ...form, resource });
  return { accessToken: body['access_token'] ?? '', refreshToken: body['refresh_token'] ?? '', form, body };
}
