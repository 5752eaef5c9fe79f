import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type App, createApp } from '../assembly/app.js';
import { everyPage } from '../commands/every-page.js';
import { COMPILE_CACHE } from '../config/compile-cache.js';
import type { Config } from '../config/config.js';
import { ServiceError } from '../errors.js';
import { probeAddress } from '../http/probe-address.js';
import { createLog } from '../log/log.js';
import type { Findings } from '../production/inspect-start.js';
import { printable } from '../text/printable.js';
import { banner } from './banner.js';
import { sandboxOrigins, startSandboxOn } from './connect-sandbox.js';
import { type Emulators, introduce, makeSignInLink } from './introduce.js';
import { openSandboxClients } from './sandbox-clients.js';

const STOP_LIMIT_MS = 30_000;
const PREPARE_MS = 500;

interface Address {
  readonly host: string;
  readonly port: number;
  /** The setting that moves it. */
  readonly setting: string;
}

/** What to do about the faults of an address that an operator can have caused. */
const LISTEN_ADVICE: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port, setting }) => `Port ${port} is in use: stop what listens there, or set ${setting}.`,
  EACCES: ({ port, setting }) => `Port ${port} is not open to this user: set ${setting} to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: set SVC_HOST, such as 127.0.0.1.`,
  ENOTFOUND: ({ host }) => `There is no host ${host}: set SVC_HOST to an address, such as 127.0.0.1.`,
};

/** The system's code of an error, or of what caused it. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error ? String(error.code) : systemCode(error.cause);
}

function explainListening(error: unknown, address: Address): unknown {
  const message = LISTEN_ADVICE[systemCode(error) ?? '']?.(address);
  return message ? new ServiceError('invalid_request', message, undefined, { cause: error }) : error;
}

async function startSandbox({
  sandbox: isWanted,
  sandboxPort,
  data,
}: Config): Promise<Emulators | undefined> {
  if (!isWanted) return undefined;
  const clients = openSandboxClients(data);
  const sandbox = await startSandboxOn(sandboxPort, clients.all()).catch((error: unknown) => {
    throw explainListening(error, { host: '127.0.0.1', port: sandboxPort, setting: 'SVC_SANDBOX_PORT' });
  });
  return { sandbox, clients };
}

async function explained(listening: Promise<unknown>, address: Address): Promise<void> {
  await listening.catch((error: unknown) => {
    throw explainListening(error, address);
  });
}

/** Where the service is to listen. */
function addressesOf({ host: given, port, proxyAddress }: Config): readonly Address[] {
  // For this name Fastify would open a second server, whose connections nobody counts.
  const host = given === 'localhost' ? '127.0.0.1' : given;
  const own = { host, port, setting: 'SVC_PORT' };
  return proxyAddress ? [own, { host, port: proxyAddress.port, setting: 'SVC_PROXY_PORT' }] : [own];
}

function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
      void stop();
    });
  }
}

/** An application for real users gets what it can here, and its operator is told what this service does not promise it. */
async function findProductionApplications(app: App): Promise<readonly string[]> {
  const all = await everyPage(app.applications.list);
  return all
    .filter(({ production }) => production)
    .map(
      ({ id }) =>
        `The application ${id} is marked production, and this service is not: set SVC_PRODUCTION=1.`,
    );
}

interface Start {
  readonly config: Config;
  /** What its operator is told of these settings. */
  readonly findings: Findings;
  readonly version: string;
}

/** Starts the service, and the sandbox beside it when the settings ask for it. Both end with a signal. */
export async function serve({ config, findings, version }: Start): Promise<void> {
  // A start that cannot listen must not leave a new database behind.
  for (const address of addressesOf(config)) await explained(probeAddress(address), address);
  const emulators = await startSandbox(config);
  const emulatedOrigins = emulators ? sandboxOrigins(emulators.sandbox) : [];
  const log = createLog(config.log.level, config.log);
  const app = await createApp({ config, emulatedOrigins, log, version });
  stopOnSignal(async () => {
    await app.server.beginStop();
    await app.server.close();
    await emulators?.sandbox.stop();
    log.flush();
  });
  // The first client secret is shown once, so it is made only when nothing can stop the start any more.
  for (const address of addressesOf(config)) await explained(app.listen(address), address);
  const introduced = await introduce(app, config, emulators);
  app.becomeReady();
  // Loading the HTTP client takes 40 ms, for which neither the start nor the first call should wait.
  setTimeout(app.prepare, PREPARE_MS).unref();
  const signIn = await makeSignInLink(app, config, introduced.operator !== undefined);
  mkdirSync(path.join(config.data, COMPILE_CACHE), { recursive: true });
  const orphaned = config.production ? [] : await findProductionApplications(app);
  const text = banner({
    ...introduced,
    signIn,
    refused: [...findings.refused, ...orphaned],
    doubtful: findings.doubtful,
  });
  process.stdout.write(`${printable(text)}\n`);
}
