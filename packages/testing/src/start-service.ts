import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type KnownClient, type Sandbox, startSandbox } from '@svc/sandbox';
import { type App, createApp, createLog, readConfig } from '@svc/server';
import { connectSandbox, sandboxOrigins } from '@svc/server/connect-sandbox';
import { type Application, createApplication } from './application.js';
import { type Authorize, createAuthorize } from './authorize.js';
import { type ReservedPort, reservePort } from './reserve-port.js';

/** Options of the started service. */
export interface ServiceOptions {
  /** Connectors whose upstreams the sandbox emulates. Default: all of them. */
  readonly connectors?: readonly string[] | undefined;
  /** Environment variables of the service, such as `SVC_CATALOG`. Nothing is read from `process.env`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Running service with its sandbox. */
export interface RunningService extends Application, AsyncDisposable {
  /** Base URL of the proxy for the vendors' own client libraries. */
  readonly proxyUrl: string;
  /** Emulated upstreams. A test can inspect their requests, and set faults and the clock. */
  readonly sandbox: Sandbox;
  /** Connects an account of a user, by real consent pages of the sandbox or by a key that it accepts. */
  readonly authorize: Authorize;
  /** Stops the service and the sandbox, and deletes their data. */
  stop(): Promise<void>;
}

interface Started {
  readonly app: App;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Starting {
  readonly sandbox: Sandbox;
  readonly data: string;
  /** Ports of the service's API and of its proxy for the vendors' client libraries. */
  readonly ports: readonly [ReservedPort, ReservedPort];
  readonly settings: Readonly<Record<string, string>>;
  /** OAuth clients of the service at the emulated upstreams. The sandbox accepts only these clients. */
  readonly clients: KnownClient[];
}

const configOf = ({ data, ports: [own, proxy], settings }: Starting) =>
  readConfig([], {
    SVC_LOG_LEVEL: 'silent',
    ...settings,
    SVC_DATA: data,
    SVC_PORT: String(own.port),
    SVC_PROXY_PORT: String(proxy.port),
  });

/**
 * Creates the store for OAuth clients at the emulated upstreams. It invents the clients. Registering them over HTTP
 * would load all emulators, including those that the test never uses.
 */
function invent(clients: KnownClient[]) {
  const find = (id: string, redirectUri: string): KnownClient => {
    const secret = randomBytes(24).toString('base64url');
    const client = { id, clientId: `testing-${id}`, clientSecret: secret, redirectUris: [redirectUri] };
    clients.push(client);
    return client;
  };
  return { find, store: () => {}, all: () => clients };
}

async function startApp(starting: Starting): Promise<Started> {
  const { sandbox, ports, clients } = starting;
  const config = configOf(starting);
  const app = await createApp({
    config,
    emulatedOrigins: sandboxOrigins(sandbox),
    log: createLog(config.log.level, config.log),
    version: 'testing',
  });
  try {
    const { id: clientId, clientSecret } = await app.applications.create('Tested application');
    await connectSandbox(app, clientId, { sandbox, clients: invent(clients) });
    for (const { port, release } of ports) {
      await release();
      await app.listen({ host: '127.0.0.1', port });
    }
    app.becomeReady();
    return { app, clientId, clientSecret };
  } catch (error) {
    await app.server.close();
    throw error;
  }
}

/** Creates the object that the test receives. `clear` deletes the service's data. */
function toRunning(
  { app, ...credentials }: Started,
  { sandbox, ports: [own, proxy] }: Starting,
  clear: () => Promise<void>,
): RunningService {
  const end = async () => {
    // Closes idle connections, because the service would wait for further requests on them before it stops.
    app.server.server.closeIdleConnections();
    await app.server.close();
    await clear();
  };
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= end();
    return ended;
  };
  const application = createApplication({ environmentUrl: `http://localhost:${own.port}`, ...credentials });
  return {
    ...application,
    proxyUrl: `http://localhost:${proxy.port}`,
    sandbox,
    authorize: createAuthorize({ app, client: application.client, clientId: credentials.clientId }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Starts the service and the sandbox in this process, on free ports. Their data is deleted when they stop. */
export async function startService({
  connectors,
  settings = {},
}: ServiceOptions = {}): Promise<RunningService> {
  const clients: KnownClient[] = [];
  // Disables the sandbox's rate limits, because a test suite sends more requests than a user.
  const sandbox = await startSandbox({ clients, ...(connectors && { connectors }), rateLimits: false });
  const data = mkdtempSync(path.join(tmpdir(), 'svc-testing-'));
  const ports = await Promise.all([reservePort(), reservePort()]);
  const starting = { sandbox, data, ports, settings, clients };
  const clear = async () => {
    await Promise.all(ports.map(({ release }) => release()));
    await sandbox.stop();
    await rm(data, { recursive: true, force: true });
  };
  try {
    return toRunning(await startApp(starting), starting, clear);
  } catch (error) {
    await clear();
    throw error;
  }
}
