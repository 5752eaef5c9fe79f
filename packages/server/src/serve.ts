import type { Sandbox } from '@svc/sandbox';
import { type App, createApp } from './app.js';
import { banner } from './banner.js';
import { type Config, readConfig } from './config.js';
import { connectSandbox, sandboxOrigins, startSandboxOn } from './connect-sandbox.js';
import { ServiceError } from './errors.js';
import { probeAddress } from './http/probe-address.js';
import { createLog } from './log.js';

const STOP_LIMIT_MS = 30_000;

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

async function startSandbox({ sandbox, sandboxPort }: Config): Promise<Sandbox | undefined> {
  if (!sandbox) return undefined;
  return startSandboxOn(sandboxPort).catch((error: unknown) => {
    throw explainListening(error, { host: '127.0.0.1', port: sandboxPort, setting: 'SVC_SANDBOX_PORT' });
  });
}

async function explained(listening: Promise<unknown>, { host, port }: Config): Promise<void> {
  await listening.catch((error: unknown) => {
    throw explainListening(error, { host, port, setting: 'SVC_PORT' });
  });
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

async function introduce(app: App, config: Config, sandbox: Sandbox | undefined): Promise<string> {
  const { clientId, clientSecret } = await app.applications.createFirstApplication({
    name: 'First application',
    clientId: config.firstClientId,
    clientSecret: config.firstClientSecret,
  });
  const operator = await app.operators.createFirst({ password: config.firstOperatorPassword });
  const connections = sandbox && (await connectSandbox(app, clientId, sandbox));
  return banner({
    environmentUrl: config.environmentUrl,
    clientId,
    clientSecret: config.firstClientSecret === undefined ? clientSecret : undefined,
    operator: operator && { ...operator, isGiven: config.firstOperatorPassword !== undefined },
    sandbox: sandbox && connections && { url: sandbox.url, connections },
  });
}

/** Starts the service, and the sandbox beside it when the flags ask for it. Both end with a signal. */
export async function serve(args: readonly string[], version: string): Promise<void> {
  const given = readConfig(args, process.env);
  // A start that cannot listen must not leave a new database behind.
  await explained(probeAddress(given), given);
  const sandbox = await startSandbox(given);
  const config = sandbox
    ? { ...given, allowedOrigins: [...given.allowedOrigins, ...sandboxOrigins(sandbox)] }
    : given;
  const log = createLog(config.logLevel);
  const app = await createApp({ config, log, version });
  stopOnSignal(async () => {
    await app.server.close();
    await sandbox?.stop();
    log.flush();
  });
  // The first client secret is shown once, so it is made only when nothing can stop the start any more.
  await explained(app.server.listen({ host: config.host, port: config.port }), config);
  const introduction = await introduce(app, config, sandbox);
  app.becomeReady();
  process.stdout.write(`${introduction}\n`);
}
