import { approve, type Sandbox } from '../src/index.js';

export const REDIRECT_URI = 'http://127.0.0.1:1/callback';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
  readonly body: any;
}

export interface TokenClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface LinkOptions {
  client: TokenClient;
  params?: Record<string, string>;
}

/** Returns the OAuth endpoints of an emulated service. Throws for a service that uses API keys instead. */
export function endpointsOf(sandbox: Sandbox, id: string) {
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint = '' } = sandbox.upstream(id);
  if (authorizationEndpoint && tokenEndpoint)
    return { authorizationEndpoint, tokenEndpoint, revocationEndpoint };
  throw new Error(`The users of ${id} approve nothing.`);
}

const OWN_PARAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  workspace: { owner: 'user' },
  filesite: { scope: 'offline_access Sites.ReadWrite.All Files.ReadWrite.All' },
};
const GOOGLE_PARAMS = { scope: 'https://www.googleapis.com/auth/calendar', access_type: 'offline' };

/** Builds the authorization URL to which an application redirects a person. */
export function authorizationLink(
  sandbox: Sandbox,
  id: string,
  { client, params = {} }: LinkOptions,
): string {
  const all = {
    client_id: client.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    state: 'the state',
    ...(OWN_PARAMS[id] ?? GOOGLE_PARAMS),
    ...params,
  };
  return `${endpointsOf(sandbox, id).authorizationEndpoint}?${new URLSearchParams(all)}`;
}

/** Consents as a person and returns the query parameters of the redirect to the application. */
export async function approvedParams(
  link: string,
  options: { user?: string; deny?: boolean } = {},
): Promise<URLSearchParams> {
  const { url } = await approve(link, { ...options, stopAt: (address) => address.startsWith(REDIRECT_URI) });
  return new URL(url).searchParams;
}

/** Sends a token request in the format of the emulated service, such as form-encoded or JSON. */
export async function requestToken(
  sandbox: Sandbox,
  id: string,
  request: { client: TokenClient; form: Record<string, string> },
): Promise<ApiResponse> {
  const { client, form } = request;
  const { tokenEndpoint } = endpointsOf(sandbox, id);
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const response =
    id === 'workspace'
      ? await fetch(tokenEndpoint, {
          method: 'POST',
          headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
          body: JSON.stringify(form),
        })
      : await fetch(tokenEndpoint, {
          method: 'POST',
          body: new URLSearchParams({
            ...form,
            client_id: client.clientId,
            client_secret: client.clientSecret,
          }),
        });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export interface Connected {
  readonly client: TokenClient;
  readonly token: string;
  readonly refreshToken: string;
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<ApiResponse>;
}

interface ConnectOptions {
  user?: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Registers a client, consents as a person, and returns functions that call the API with the access token. */
export async function connect(
  sandbox: Sandbox,
  id: string,
  { user, params, headers = {} }: ConnectOptions = {},
): Promise<Connected> {
  const client = await sandbox.registerClient(id, { redirectUris: [REDIRECT_URI], name: 'Test app' });
  const link = authorizationLink(sandbox, id, { client, ...(params === undefined ? {} : { params }) });
  const code = (await approvedParams(link, user === undefined ? {} : { user })).get('code') ?? '';
  const { body } = await requestToken(sandbox, id, {
    client,
    form: { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI },
  });
  return {
    client,
    token: body.access_token,
    refreshToken: body.refresh_token,
    call: (method, path, options = {}) =>
      callApi(`${sandbox.upstream(id).baseUrl}${path}`, method, {
        token: body.access_token,
        ...options,
        headers: { ...headers, ...options.headers },
      }),
  };
}

interface ApiCall {
  token: string;
  body?: unknown;
  headers: Record<string, string>;
}

export async function callApi(
  url: string,
  method: string,
  { token, body, headers }: ApiCall,
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
