import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../scripts/free-port.ts';
import type { Bench } from './part.ts';
import { type Program, startProgram } from './start-program.ts';

export interface Settings {
  readonly port: number;
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface SettingsOptions {
  /** Origin of an upstream that the service may call. Default: the upstream that sends small responses. */
  readonly origin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Service extends Program {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const MAIN = path.join(ROOT, 'packages/server/dist/main.js');
const CONNECTOR = 'convintel';

/**
 * Rate limits so high that the benchmark never reaches them. The service still counts every call, so that the benchmark
 * includes the cost of counting.
 */
const RAISED_LIMITS = {
  SVC_RATE_APPLICATION: '1000000',
  SVC_RATE_USER: '1000000',
  SVC_RATE_ACCOUNT: '1000000',
  SVC_RATE_ADDRESS: '1000000',
};

async function reserveInstance({ folder }: Bench) {
  const port = await freePort();
  const env = {
    SVC_PORT: String(port),
    SVC_SANDBOX_PORT: String(await freePort()),
    SVC_DATA: path.join(mkdtempSync(path.join(folder, 'service-')), 'data'),
  };
  return { port, url: `http://localhost:${port}`, env };
}

/**
 * Creates the settings of a new service: ports, data folder and client secret. A service that is restarted with these
 * settings keeps its data.
 */
export async function createSettings(
  bench: Bench,
  { origin = bench.upstream.small, env }: SettingsOptions = {},
): Promise<Settings> {
  const instance = await reserveInstance(bench);
  const [clientId, clientSecret] = ['app_bench', randomBytes(32).toString('base64url')];
  const own = {
    ...RAISED_LIMITS,
    SVC_ALLOWED_ORIGINS: `${CONNECTOR}=${origin}`,
    SVC_FIRST_CLIENT_ID: clientId,
    SVC_FIRST_CLIENT_SECRET: clientSecret,
  };
  return { ...instance, clientId, clientSecret, env: { ...instance.env, ...own, ...env } };
}

/** Creates the settings of another instance that shares the database of the given service. */
export async function createInstanceSettings(bench: Bench, settings: Settings): Promise<Settings> {
  const instance = await reserveInstance(bench);
  return { ...settings, ...instance, env: { ...settings.env, ...instance.env } };
}

async function fetchJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method} ${url} failed with ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Requests an access token from the service. It expires after 15 minutes. */
export async function signIn({ url, clientId, clientSecret }: Settings): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetchJson(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return (response as { access_token: string }).access_token;
}

export interface LaunchOptions {
  readonly nodeArgs?: readonly string[];
  readonly isSandboxOn?: boolean;
}

/** Starts the built service as `npm start` does, with the sandbox unless `isSandboxOn` is false. */
export function launch(
  { folder }: Bench,
  { url, env }: Settings,
  { nodeArgs = [], isSandboxOn = true }: LaunchOptions = {},
): Promise<Program> {
  const args = [...nodeArgs, MAIN, ...(isSandboxOn ? ['--sandbox'] : [])];
  return startProgram({ args, env, folder, readyUrl: `${url}/readyz` });
}

/** Starts the service with the real command `npm start`, which first checks whether a build is needed. */
export const launchByNpm = ({ folder }: Bench, { url, env }: Settings): Promise<Program> =>
  startProgram({ command: 'npm', args: ['start'], cwd: ROOT, env, folder, readyUrl: `${url}/readyz` });

/** Starts the service and requests an access token. A quick run starts it without the sandbox, to save time. */
export async function startService(
  bench: Bench,
  settings: Settings,
  options: LaunchOptions = {},
): Promise<Service> {
  const { url, port } = settings;
  const program = await launch(bench, settings, { isSandboxOn: !bench.isQuick, ...options });
  bench.defer(program.stop);
  const token = await signIn(settings);
  const call: Service['call'] = (method, to, body) =>
    fetchJson(url + to, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { ...program, url, port, token, call };
}

/** Creates a connection to an origin and a connected account that uses it. */
export async function connectAccount(
  { call }: Service,
  connectionName: string,
  baseUrl: string,
): Promise<{ readonly id: string }> {
  await call('POST', '/v1/connections', { connectionName, connector: CONNECTOR, baseUrl });
  const account = await call('PUT', `/v1/connections/${connectionName}/accounts/user_42`, {
    bearerToken: 'bench-credential',
  });
  return account as { id: string };
}
