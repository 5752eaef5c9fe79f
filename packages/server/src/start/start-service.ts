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
import { bootstrap, makeSignInLink } from './bootstrap.js';
import { type Emulators, readSandboxSettings, sandboxOrigins, startSandboxOn } from './connect-sandbox.js';
import { openSandboxClients } from './sandbox-clients.js';
import { whenNpxEnds } from './when-npx-ends.js';

/** Name of the file in the data folder that stores the grants of the sandbox's users. */
const SANDBOX_GRANTS = 'sandbox-grants.json';
const STOP_LIMIT_MS = 30_000;
const PREPARE_MS = 500;

interface Address {
  readonly host: string;
  readonly port: number;
  /** Name of the environment variable that changes the port, for error messages. */
  readonly setting: string;
}

/** Advice for errors of `listen` that an operator can fix, by the error code of the operating system. */
const LISTEN_ADVICE: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port, setting }) =>
    `Port ${port} is in use. Stop the program that uses it, or set ${setting} to another port.`,
  EACCES: ({ port, setting }) => `This user may not use port ${port}. Set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is not an address of this machine. Set SVC_HOST, for example to 127.0.0.1.`,
  ENOTFOUND: ({ host }) =>
    `The host ${host} does not exist. Set SVC_HOST to an address, for example 127.0.0.1.`,
};

/** Returns the error code of the operating system from an error or one of its causes. */
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

function addressesOf({ host: configured, metrics, port, proxyAddress }: Config): readonly Address[] {
  // Fastify opens a second server for "localhost", but `maxConnections` does not limit the second server.
  const host = configured === 'localhost' ? '127.0.0.1' : configured;
  const own = { host, port, setting: 'SVC_PORT' };
  const others = { SVC_PROXY_PORT: proxyAddress?.port, SVC_METRICS_PORT: metrics?.port };
  return [
    own,
    ...Object.entries(others).flatMap(([setting, each]) =>
      each === undefined ? [] : [{ host, port: each, setting }],
    ),
  ];
}

function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  function stopOnce(): void {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    void stop();
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopOnce);
  whenNpxEnds(stopOnce);
}

/**
 * Returns one warning for each application that is marked as production, if this service runs without SVC_PRODUCTION=1.
 */
async function warnOfProductionApplications(app: App): Promise<readonly string[]> {
  const all = await everyPage(app.applications.list);
  return all
    .filter(({ production }) => production)
    .map(
      ({ id }) =>
        `The application ${id} is marked production, but the service runs without SVC_PRODUCTION=1. Set SVC_PRODUCTION to 1.`,
    );
}

interface StartOptions {
  readonly config: Config;
  /** Problems of the settings, which the banner shows. */
  readonly findings: Findings;
  readonly version: string;
}

/**
 * Starts the service, and the sandbox if the settings enable it. SIGTERM, SIGINT and SIGHUP stop both, and so does the
 * end of npx.
 */
export async function startService({ config, findings, version }: StartOptions): Promise<void> {
  // Tests the ports first, so that a start that cannot listen does not create a database.
  for (const address of addressesOf(config)) await withAdvice(probeAddress(address), address);
  const emulators = await startSandbox(config);
  const emulatedOrigins = emulators ? sandboxOrigins(emulators.sandbox) : [];
  const log = createLog(config.log.level, {
    ...config.log,
    readable: process.stdout.isTTY,
    serviceVersion: version,
  });
  const app = await createApp({
    config,
    emulatedOrigins,
    log,
    version,
    readSandboxSettings: emulators && ((connection) => readSandboxSettings(emulators, connection)),
  });
  stopOnSignal(async () => {
    await app.server.beginStop();
    await app.server.close();
    await emulators?.sandbox.stop();
    log.flush();
  });
  // Listens before `bootstrap` creates the first application. Its client secret is shown only once, so no step after
  // that may fail.
  for (const address of addressesOf(config)) await withAdvice(app.listen(address), address);
  const bootstrapped = await bootstrap(app, config, emulators);
  app.becomeReady();
  // Loading the HTTP client takes 40 ms. The delayed load slows down neither the start nor the first tool call.
  setTimeout(app.prepare, PREPARE_MS).unref();
  const signIn = await makeSignInLink(app, config, bootstrapped.operator !== undefined);
  mkdirSync(path.join(config.data, COMPILE_CACHE), { recursive: true });
  const orphaned = config.production ? [] : await warnOfProductionApplications(app);
  const text = banner({
    version,
    // A launcher, such as `npm start` of the repository, names the command that its users run.
    command: process.env['SVC_COMMAND'] || 'svc-server',
    ...bootstrapped,
    signIn,
    refused: [...findings.refused, ...orphaned],
    doubtful: [...findings.doubtful, ...bootstrapped.warnings],
  });
  // Writes the log lines of this start first, so that they do not scroll the sign-in link away.
  log.flush();
  process.stdout.write(`${printable(text)}\n`);
}
