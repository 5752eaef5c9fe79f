import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, type ConnectedAccount, createClient } from '@svc/core';
import { approve, type Sandbox, startSandbox } from '@svc/sandbox';
import { type App, createApp } from '../../../src/assembly/app.js';
import { readConfig } from '../../../src/config/config.js';
import { createLog, type Log } from '../../../src/log/log.js';
import { connectSandbox } from '../../../src/start/connect-sandbox.js';
import { newDatabaseFile, newDatabaseUrl } from '../databases/test-database.js';
import { newFolder } from '../processes/new-folder.js';
import { newPort } from '../processes/new-port.js';
import { listForSandbox } from './allowed-origins.js';
import { RAISED_LIMITS } from './raised-limits.js';

/** Service in the test process, with a sandbox and a client of its first application. */
export interface Service {
  readonly app: App;
  readonly url: string;
  /** URL of the proxy port. */
  readonly proxyUrl: string;
  readonly sandbox: Sandbox;
  readonly svc: Client;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly data: string;
  /** URL of the PostgreSQL database; `undefined` on SQLite, whose file is in the folder `data`. */
  readonly databaseUrl: string | undefined;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Upstreams to emulate. Default: all. */
  readonly connectors?: readonly string[];
  /** Running sandbox to use instead of a new one. It is stopped with the service. */
  readonly sandbox?: Sandbox;
  /** More flags, such as `--catalog`. */
  readonly flags?: readonly string[];
  /** More environment variables, for example secrets, which no flag accepts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Log of the service. Default: none. */
  readonly log?: Log;
}

const FOR_US = { mode: 0o600 };

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { connectors, flags = [], env = {}, log = createLog('silent') } = options;
  const sandbox =
    options.sandbox ?? (await startSandbox({ ...(connectors && { connectors }), rateLimits: false }));
  const [port, proxyPort] = [await newPort(), await newPort()];
  const url = `http://localhost:${port}`;
  const data = newFolder();
  const databaseUrl = await newDatabaseUrl();
  if (databaseUrl === undefined) writeFileSync(path.join(data, 'svc.db'), await newDatabaseFile(), FOR_US);
  const ports = ['--port', String(port), '--proxy-port', String(proxyPort)];
  const own = [...ports, '--data', data];
  const ownEnv = {
    SVC_ALLOWED_ORIGINS: listForSandbox(sandbox),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    SVC_PLAIN_RUNTIME: process.env['SVC_PLAIN_RUNTIME'] ?? '',
  };
  const app = await createApp({
    config: readConfig([...own, ...flags], { ...RAISED_LIMITS, ...ownEnv, ...env }),
    log,
    version: '0.0.0',
  });
  const clientId = 'app_test';
  const clientSecret = randomBytes(32).toString('base64url');
  await app.applications.createFirstApplication({ name: 'Test application', clientId, clientSecret });
  await connectSandbox(app, clientId, { sandbox });
  app.becomeReady();
  for (const each of [port, proxyPort]) await app.listen({ host: '127.0.0.1', port: each });
  return {
    app,
    url,
    proxyUrl: `http://localhost:${proxyPort}`,
    sandbox,
    svc: createClient({ environmentUrl: url, clientId, clientSecret }),
    clientId,
    clientSecret,
    data,
    databaseUrl,
    stop: async () => {
      await app.server.close();
      await sandbox.stop();
    },
  };
}

interface RequiredFields {
  readonly authType: string;
  readonly credentials: readonly { readonly name: string }[];
}

/** Returns credentials that the sandbox accepts for this connection; `undefined` if users consent with OAuth. */
async function sandboxSecrets(svc: Client, connectionName: string) {
  const get = <Data>(path: string) => svc.call<Data>({ method: 'GET', path });
  const { connector } = await get<{ connector: string }>(`/v1/connections/${connectionName}`);
  const { authType, credentials } = await get<RequiredFields>(`/v1/connectors/${connector}`);
  if (authType !== 'api_key' && authType !== 'bearer_token') return undefined;
  const key = `sandbox-${connector}`;
  return {
    ...(authType === 'api_key' ? { apiKey: key } : { bearerToken: key }),
    ...(credentials.length > 0 && {
      credentials: Object.fromEntries(credentials.map(({ name }) => [name, `sandbox-${name}`])),
    }),
  };
}

/** Connects an account: with consent in a test browser for OAuth, or with API keys that the sandbox accepts. */
export async function connectAccount(
  { svc }: Pick<Service, 'svc'>,
  connectionName: string,
  identifier = 'user_42',
): Promise<ConnectedAccount> {
  const secrets = await sandboxSecrets(svc, connectionName);
  if (secrets) return svc.getOrCreateConnectedAccount({ connectionName, identifier, ...secrets });
  const { link } = await svc.getAuthorizationLink({ connectionName, identifier });
  const { status, body } = await approve(link, { user: 'ada' });
  if (status !== 200) throw new Error(`The approval ended with ${status}: ${body}`);
  return svc.getOrCreateConnectedAccount({ connectionName, identifier });
}
