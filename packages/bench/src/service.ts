import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../scripts/free-port.ts';
import { type Measured, startMeasured } from './measured.ts';

export interface Service extends Measured {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

export interface ServiceOptions {
  readonly folder: string;
  /** Origins of this machine that its connections may go to. */
  readonly origins: readonly string[];
  readonly databaseUrl?: string | undefined;
  /** Before those of the program. */
  readonly nodeArgs?: readonly string[];
}

const MAIN = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
const CONNECTOR = 'convintel';

/** Quotas, which an operator raises; they are counted all the same. */
const RAISED_QUOTAS = {
  SVC_RATE_APPLICATION: '1000000',
  SVC_RATE_ACCOUNT: '1000000',
  SVC_RATE_ADDRESS: '1000000',
};

async function getJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function signIn(url: string, clientId: string, clientSecret: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await getJson(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return (answer as { access_token: string }).access_token;
}

/** Starts what `npm start` starts: the build, with its default settings. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { folder, origins, databaseUrl, nodeArgs = [] } = options;
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const [clientId, clientSecret] = ['app_bench', randomBytes(32).toString('base64url')];
  const env = {
    ...RAISED_QUOTAS,
    SVC_PORT: String(port),
    SVC_SANDBOX_PORT: String(await freePort()),
    SVC_DATA: path.join(mkdtempSync(path.join(folder, 'service-')), 'data'),
    SVC_ALLOWED_ORIGINS: origins.map((origin) => `${CONNECTOR}=${origin}`).join(','),
    SVC_FIRST_CLIENT_ID: clientId,
    SVC_FIRST_CLIENT_SECRET: clientSecret,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const args = [...nodeArgs, MAIN, '--sandbox'];
  const measured = await startMeasured({ args, env, folder, readyUrl: `${url}/readyz` });
  const token = await signIn(url, clientId, clientSecret);
  const call: Service['call'] = (method, to, body) =>
    getJson(url + to, {
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
  identifier = 'user_42',
): Promise<{ readonly id: string }> {
  await call('POST', '/v1/connections', { connectionName, connector: CONNECTOR, baseUrl });
  const account = await call('PUT', `/v1/connections/${connectionName}/accounts/${identifier}`, {
    bearerToken: 'bench-credential',
  });
  return account as { id: string };
}
