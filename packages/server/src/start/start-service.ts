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
import { bootstrap, type Emulators, makeSignInLink } from './bootstrap.js';
import { sandboxOrigins, startSandboxOn } from './connect-sandbox.js';
import { openSandboxClients } from './sandbox-clients.js';

/** File of the data folder with what users of the sandbox granted. */
const SANDBOX_GRANTS = 'sandbox-grants.json';
const STOP_LIMIT_MS = 30_000;
const PREPARE_MS = 500;

interface Address {
  readonly host: string;
  readonly port: number;
  /** The environment variable that changes the port. */
  readonly setting: string;
}

/** Advice for the listen errors that an operator can cause, by the system's error code. */
const LISTEN_ADVICE: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port, setting }) =>
    `Port ${port} is in use. Stop the program that uses it, or set ${setting}.`,
  EACCES: ({ port, setting }) => `This user may not use port ${port}. Set ${setting} to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is not an address of this machine. Set SVC_HOST, for example to 127.0.0.1.`,
  ENOTFOUND: ({ host }) =>
    `The host ${host} does not exist. Set SVC_HOST to an address, for example 127.0.0.1.`,
};

/** The system's error code, searched along the chain of causes. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error ? String(error.code) : systemCode(error.cause);
}

function explainListenError(error: unknown, address: Address): unknown {
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
  const sandbox = await startSandboxOn({
    port: sandboxPort,
    clients: clients.all(),
    grantFile: path.join(data, SANDBOX_GRANTS),
  }).catch((error: unknown) => {
    throw explainListenError(error, { host: '127.0.0.1', port: sandboxPort, setting: 'SVC_SANDBOX_PORT' });
  });
  return { sandbox, clients };
}

async function withAdvice(listening: Promise<unknown>, address: Address): Promise<void> {
  await listening.catch((error: unknown) => {
    throw explainListenError(error, address);
  });
}

function addressesOf({ host: configured, port, proxyAddress }: Config): readonly Address[] {
  // Fastify opens a second server for "localhost", whose connections maxConnections does not count.
  const host = configured === 'localhost' ? '127.0.0.1' : configured;
  const own = { host, port, setting: 'SVC_PORT' };
  return proxyAddress ? [own, { host, port: proxyAddress.port, setting: 'SVC_PROXY_PORT' }] : [own];
}

function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
      void stop();
    });
  }
}

/** One warning for each production application, because this service runs without SVC_PRODUCTION=1. */
async function warnOfProductionApplications(app: App): Promise<readonly string[]> {
  const all = await everyPage(app.applications.list);
  return all
    .filter(({ production }) => production)
    .map(
      ({ id }) =>
        `The application ${id} is marked production, and this service is not: set SVC_PRODUCTION=1.`,
    );
}

interface StartOptions {
  readonly config: Config;
  /** Warnings about the settings, shown in the banner. */
  readonly findings: Findings;
  readonly version: string;
}

/** Starts the service, and the sandbox if the settings ask for it. SIGTERM, SIGINT and SIGHUP stop both. */
export async function startService({ config, findings, version }: StartOptions): Promise<void> {
  // Probe first, so that a start that cannot listen leaves no new database behind.
  for (const address of addressesOf(config)) await withAdvice(probeAddress(address), address);
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
  // Listen before the bootstrap: the first client secret is shown once, so nothing may fail after it is made.
  for (const address of addressesOf(config)) await withAdvice(app.listen(address), address);
  const bootstrapped = await bootstrap(app, config, emulators);
  app.becomeReady();
  // Loading the HTTP client takes 40 ms, for which neither the start nor the first call should wait.
  setTimeout(app.prepare, PREPARE_MS).unref();
  const signIn = await makeSignInLink(app, config, bootstrapped.operator !== undefined);
  mkdirSync(path.join(config.data, COMPILE_CACHE), { recursive: true });
  const orphaned = config.production ? [] : await warnOfProductionApplications(app);
  const text = banner({
    ...bootstrapped,
    signIn,
    refused: [...findings.refused, ...orphaned],
    doubtful: [...findings.doubtful, ...bootstrapped.warnings],
  });
  process.stdout.write(`${printable(text)}\n`);
}
