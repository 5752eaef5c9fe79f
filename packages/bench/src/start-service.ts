import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../scripts/free-port.ts';
import { type Measured, startMeasured } from './start-program.ts';

export interface Settings {
  readonly port: number;
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface SettingsOptions {
  readonly folder: string;
  /** Origins of this machine that its connections may go to. */
  readonly origins?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Service extends Measured {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const MAIN = path.join(ROOT, 'packages/server/dist/main.js');
/** As `npm start` has it. */
export const SANDBOX = ['--sandbox'];
const CONNECTOR = 'convintel';

/** Quotas, which an operator raises; they are counted all the same. */
const RAISED_QUOTAS = {
  SVC_RATE_APPLICATION: '1000000',
  SVC_RATE_USER: '1000000',
  SVC_RATE_ACCOUNT: '1000000',
  SVC_RATE_ADDRESS: '1000000',
};

async function newPlace(folder: string) {
  const port = await freePort();
  const env = {
    SVC_PORT: String(port),
    SVC_SANDBOX_PORT: String(await freePort()),
    SVC_DATA: path.join(mkdtempSync(path.join(folder, 'service-')), 'data'),
  };
  return { port, url: `http://localhost:${port}`, env };
}

/** Those of a service of its own, which may be started again with them. */
export async function newSettings({ folder, origins = [], env }: SettingsOptions): Promise<Settings> {
  const place = await newPlace(folder);
  const [clientId, clientSecret] = ['app_bench', randomBytes(32).toString('base64url')];
  const own = {
    ...RAISED_QUOTAS,
    SVC_ALLOWED_ORIGINS: origins.map((origin) => `${CONNECTOR}=${origin}`).join(','),
    SVC_FIRST_CLIENT_ID: clientId,
    SVC_FIRST_CLIENT_SECRET: clientSecret,
  };
  return { ...place, clientId, clientSecret, env: { ...place.env, ...own, ...env } };
}

/** Those of one more instance on the same database. */
export async function furtherInstance(settings: Settings, folder: string): Promise<Settings> {
  const place = await newPlace(folder);
  return { ...settings, ...place, env: { ...settings.env, ...place.env } };
}

async function fetchJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Gives a token, which lasts a quarter of an hour. */
export async function signIn({ url, clientId, clientSecret }: Settings): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await fetchJson(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return (answer as { access_token: string }).access_token;
}

export interface StartOptions {
  readonly folder: string;
  /** Before those of the program. */
  readonly nodeArgs?: readonly string[];
  readonly flags?: readonly string[];
}

/** Starts what `npm start` starts: the build, with its default settings, and the sandbox beside it. */
export function launch({ url, env }: Settings, options: StartOptions): Promise<Measured> {
  const { folder, nodeArgs = [], flags = SANDBOX } = options;
  return startMeasured({ args: [...nodeArgs, MAIN, ...flags], env, folder, readyUrl: `${url}/readyz` });
}

/** `npm start` itself. */
export const launchByNpm = ({ url, env }: Settings, { folder }: StartOptions): Promise<Measured> =>
  startMeasured({ command: 'npm', args: ['start'], cwd: ROOT, env, folder, readyUrl: `${url}/readyz` });

/** Starts it, and signs its application in. */
export async function startService(settings: Settings, options: StartOptions): Promise<Service> {
  const { url, port } = settings;
  const measured = await launch(settings, options);
  const token = await signIn(settings);
  const call: Service['call'] = (method, to, body) =>
    fetchJson(url + to, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { ...measured, url, port, token, call };
}

/** Makes a connection of this name to an origin, and one account on it. */
export async function connect(
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
