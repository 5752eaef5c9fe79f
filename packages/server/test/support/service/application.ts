import { type Client, createClient } from '@svc/core';
import type { Sandbox } from '@svc/sandbox';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: <Body = unknown>() => Body;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signed-in application. `call` sends one HTTP request and never retries, unlike the client of `@svc/core`. */
export interface Application {
  readonly accessToken: string;
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Reply>;
}

export interface Credentials {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export async function fetchReply(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

export async function signIn({ url, clientId, clientSecret }: Credentials): Promise<Application> {
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  };
  const reply = await fetchReply(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  if (reply.status !== 200) throw new Error(`The sign-in ended with ${reply.status}: ${reply.text}`);
  const { access_token: accessToken } = reply.json<{ access_token: string }>();
  const call: Application['call'] = (method, path, { body, headers = {} } = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    return fetchReply(url + path, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return { accessToken, call };
}

/**
 * Creates the client library's client for an application. `environmentUrl` is the URL of a running service, or of a
 * proxy before it.
 */
export const clientOf = (
  { clientId, clientSecret }: Omit<Credentials, 'url'>,
  environmentUrl: string,
): Client => createClient({ environmentUrl, clientId, clientSecret });

const RENEW_MS = 10 * 60_000;

/**
 * Signs the application in again every ten minutes, for tests that may take longer than the lifetime of a token. `now`
 * is a clock in milliseconds, for tests that move the clock of the service.
 */
export function signInOnce(
  credentials: Credentials,
  now = () => performance.now(),
): () => Promise<Application> {
  let application = signIn(credentials);
  let renewAt = now() + RENEW_MS;
  return () => {
    if (now() > renewAt) {
      application = signIn(credentials);
      renewAt = now() + RENEW_MS;
    }
    return application;
  };
}

export interface SandboxConnection {
  readonly connectionId: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface SandboxConnectionOptions {
  /** Id of the emulated upstream in the sandbox, which is also the name of the connection. */
  readonly id: string;
  /** Origin of a proxy between the service and the sandbox. Default: the origin of the sandbox. */
  readonly origin?: string;
}

/** Creates a connection to an emulated service for the application, and registers an OAuth client at the service. */
export async function connectToSandbox(
  { call }: Application,
  sandbox: Sandbox,
  { id, origin = sandbox.url }: SandboxConnectionOptions,
): Promise<SandboxConnection> {
  const { baseUrl, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = sandbox.upstream(id);
  const through = (url: string | undefined) => url?.replace(sandbox.url, origin);
  const created = await call('POST', '/v1/connections', {
    body: {
      connectionName: id,
      connector: id,
      authorizationEndpoint,
      baseUrl: through(baseUrl),
      tokenEndpoint: through(tokenEndpoint),
      revocationEndpoint: through(revocationEndpoint),
    },
  });
  const { id: connectionId, redirectUri } = created.json<{ id: string; redirectUri: string }>();
  const client = await sandbox.registerClient(id, { redirectUris: [redirectUri] });
  await call('PATCH', `/v1/connections/${id}`, { body: client });
  return { connectionId, redirectUri, ...client };
}
