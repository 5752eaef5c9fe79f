import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { connectSandbox, type Sandbox } from '@svc/sandbox';
import { onTestFinished } from 'vitest';
import { type DatabaseGate, startDatabaseGate } from '../databases/database-gate.js';
import { listFor } from '../service/allowed-origins.js';
import {
  type Application,
  clientOf,
  connectToSandbox,
  fetchReply,
  type Reply,
  signIn,
} from '../service/application.js';
import { connectAccount } from '../service/service.js';
import { type Gate, startGate } from './gate.js';
import { newPort } from './new-port.js';
import { newDataFolder, newSettings, type ServiceProcess, startProcess } from './service-process.js';

const CONNECTOR = 'workspace';
/**
 * Additional connectors that may call the sandbox (SVC_ALLOWED_ORIGINS), because some tests create connections of them.
 */
const FURTHER = ['calendar'];
const TOKEN_PATH = '/v1/oauth/token';
const SANDBOX_MAIN = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@svc/sandbox/package.json')),
  'dist/main.js',
);

/** Service processes that share a database, and a sandbox in its own process that rotates refresh tokens. */
export interface Fleet {
  readonly sandbox: Sandbox;
  /** HTTP proxy before the token endpoint. It can pause token requests. */
  readonly gate: Gate;
  /** TCP proxy before PostgreSQL. Undefined on SQLite, because SQLite has no connection to intercept. */
  readonly databaseGate: DatabaseGate | undefined;
  readonly services: readonly ServiceProcess[];
  readonly application: Application;
  /** Sends a proxied request of the user `identifier` through the given service process. */
  readonly call: (
    service: Pick<ServiceProcess, 'url'>,
    identifier: string,
    signal?: AbortSignal,
  ) => Promise<Reply>;
  /** Returns the number of token requests with the grant type `refresh_token` that have passed the gate. */
  readonly refreshes: () => number;
  readonly connect: (identifier: string) => Promise<string>;
  readonly statusOf: (
    accountId: string,
  ) => Promise<{ readonly status: string; readonly statusReason?: string }>;
  readonly pauseTokens: (moment: 'request' | 'response') => ReturnType<Gate['pause']>;
  /** Kills the process at `index` with SIGKILL (default: the first), and restarts it on the same data. */
  readonly crash: (index?: number) => Promise<void>;
}

async function startSandboxProcess(): Promise<{ sandbox: Sandbox; child: ChildProcess }> {
  const port = await newPort();
  const child = spawn(process.execPath, [SANDBOX_MAIN, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const sandbox = await connectSandbox(`http://127.0.0.1:${port}`);
  // Removes the sandbox's rate limit, because tests send a thousand calls at once.
  await sandbox.dials(CONNECTOR, { rateLimit: null });
  return { sandbox, child };
}

/**
 * Returns settings for `count` service processes. SQLite gets one process only, because only one process may open its
 * database file.
 */
async function planServices(count: number, origins: readonly string[]) {
  const flags = ['--allowed-origins', listFor([CONNECTOR, ...FURTHER], origins)];
  const first = await newSettings({ flags, env: { SVC_ROOT_KEY: randomBytes(32).toString('base64') } });
  const { DATABASE_URL: databaseUrl } = first.env ?? {};
  if (databaseUrl === undefined) return { databaseGate: undefined, settings: [first] };
  const databaseGate = await startDatabaseGate(databaseUrl);
  const env = {
    ...first.env,
    DATABASE_URL: databaseGate.url,
    SVC_ENVIRONMENT_URL: `http://localhost:${first.port}`,
  };
  const settings = [{ ...first, env }];
  while (settings.length < count)
    settings.push({ ...first, env, port: await newPort(), data: newDataFolder() });
  return { databaseGate, settings };
}

export interface FleetOptions {
  /** Number of processes on PostgreSQL. SQLite always gets one process. */
  readonly count: number;
  /** Registers a cleanup. Cleanups run in reverse order. Default: `onTestFinished` of vitest. */
  readonly atEnd?: (work: () => void | Promise<void>) => void;
}

export async function startFleet({ count, atEnd = onTestFinished }: FleetOptions): Promise<Fleet> {
  const { sandbox, child } = await startSandboxProcess();
  atEnd(() => void child.kill('SIGKILL'));
  const gate = await startGate(sandbox.url);
  atEnd(gate.stop);
  const { databaseGate, settings } = await planServices(count, [sandbox.url, gate.url]);
  atEnd(async () => databaseGate?.stop());
  const services: ServiceProcess[] = [];
  atEnd(async () => {
    await Promise.all(services.map(({ kill }) => kill()));
  });
  for (const given of settings) services.push(await startProcess(given));
  const [first] = services;
  if (first === undefined) throw new Error('A fleet has at least one process.');
  const application = await signIn(first);
  await connectToSandbox(application, sandbox, { id: CONNECTOR, origin: gate.url });
  const { baseUrl } = sandbox.upstream(CONNECTOR);
  await application.call('PATCH', `/v1/connections/${CONNECTOR}`, { body: { baseUrl } });
  const svc = clientOf(first, first.url);
  return {
    sandbox,
    gate,
    databaseGate,
    services,
    application,
    call: ({ url }, identifier, signal) =>
      fetchReply(`${url}/v1/proxy/${CONNECTOR}/${encodeURIComponent(identifier)}/v1/users`, {
        headers: { authorization: `Bearer ${application.accessToken}` },
        ...(signal && { signal }),
      }),
    refreshes: () =>
      gate.exchanges.filter(({ path, sent }) => path.endsWith(TOKEN_PATH) && sent.includes('"refresh_token"'))
        .length,
    connect: async (identifier) => (await connectAccount({ svc }, CONNECTOR, identifier)).id,
    statusOf: async (id) => (await application.call('GET', `/v1/accounts/${id}`)).json(),
    pauseTokens: (moment) => gate.pause(TOKEN_PATH, moment),
    crash: async (index = 0) => {
      const [running, given] = [services[index], settings[index]];
      if (running === undefined || given === undefined) throw new Error(`There is no process ${index}.`);
      await running.kill();
      databaseGate?.drop();
      services[index] = await startProcess(given);
    },
  };
}
