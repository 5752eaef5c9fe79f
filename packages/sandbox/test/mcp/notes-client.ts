import { createHash, randomBytes } from 'node:crypto';
import { createBrowser, type Sandbox } from '../../src/index.js';
import { approvedParams, REDIRECT_URI } from '../authorized.js';

/** A dynamically registered OAuth client of the notes server. */
export interface NotesClient {
  readonly base: string;
  readonly clientId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
export const bodyOf = async (response: Response): Promise<any> => response.json();

export const postForm = async (url: string, form: Record<string, string>) => {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: await bodyOf(response) };
};

export async function register(sandbox: Sandbox, metadata: object = {}): Promise<Response> {
  return fetch(`${sandbox.upstream('notesmcp').baseUrl}/auth/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test app',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      ...metadata,
    }),
  });
}

export async function registeredClient(sandbox: Sandbox): Promise<NotesClient> {
  const { client_id } = await bodyOf(await register(sandbox));
  return { base: sandbox.upstream('notesmcp').baseUrl, clientId: client_id };
}

interface ConsentOptions {
  readonly user?: string;
  /** Scope whose checkbox the person deselects on the consent page. */
  readonly untick?: string;
  /** Parameters of the authorization request. An empty value removes a default parameter. */
  readonly params?: Record<string, string>;
}

/**
 * Runs the authorization up to the redirect. Returns the redirect's parameters and the PKCE verifier for the token
 * request.
 */
export async function requestCode(
  client: NotesClient,
  { user = 'ada', untick, params = {} }: ConsentOptions = {},
) {
  const verifier = randomBytes(32).toString('base64url');
  const all = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: REDIRECT_URI,
    state: 'the state',
    scope: 'mcp offline_access',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${client.base}/mcp`,
    ...params,
  };
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
  const link = `${client.base}/auth/oauth2/authorize?${query}`;
  const redirected =
    untick === undefined ? await approvedParams(link, { user }) : await approvedInPart(link, untick);
  return { redirected, verifier };
}

/** Consents with one checkbox deselected and returns the query parameters of the redirect. */
async function approvedInPart(link: string, untick: string): Promise<URLSearchParams> {
  const browser = createBrowser();
  const page = await browser.open(link);
  const [form] = browser.forms(page);
  if (form === undefined) throw new Error('The page has no form.');
  const controls = form.controls.filter(({ value }) => value !== untick);
  const { url } = await browser.submit(
    page,
    { ...form, controls },
    {
      button: { name: 'decision', value: 'allow' },
      stopAt: (address) => address.startsWith(REDIRECT_URI),
    },
  );
  return new URL(url).searchParams;
}

export const tokenForm = (client: NotesClient, form: Record<string, string>) => ({
  client_id: client.clientId,
  resource: `${client.base}/mcp`,
  ...form,
});

/** Consents as a person and returns the token response. */
export async function tokensOf(client: NotesClient, options: ConsentOptions = {}) {
  const { redirected, verifier } = await requestCode(client, options);
  const form = tokenForm(client, {
    grant_type: 'authorization_code',
    code: redirected.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  });
  return (await postForm(`${client.base}/auth/oauth2/token`, form)).body;
}
