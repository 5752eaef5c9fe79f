import { existsSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../assembly/app.js';
import type { Config } from '../config/config.js';
import { FIRST_SECRETS, replaceSecretFile, SIGN_IN_LINK, writeSecretFile } from '../storage/secret-file.js';
import { portOf } from '../text/port-of.js';
import type { Started } from './banner.js';
import { connectSandbox, type Emulators } from './connect-sandbox.js';

type FirstAccess = Pick<Started, 'clientId' | 'clientSecret' | 'operator'>;
type DisplayedAccess = FirstAccess & Pick<Started, 'secretsFile'>;
interface Bootstrapped extends Omit<Started, 'version' | 'command' | 'signIn' | 'refused' | 'doubtful'> {
  /** Warnings for the operator about parts of the sandbox that could not be set up. */
  readonly warnings: readonly string[];
}

/** Formats generated secrets as lines of an environment file (`NAME=value`). */
function secretLines({ clientId, clientSecret, operator }: FirstAccess): string {
  const lines = [
    ...(clientSecret === undefined ? [] : [`SVC_CLIENT_ID=${clientId}`, `SVC_CLIENT_SECRET=${clientSecret}`]),
    ...(operator?.password === undefined
      ? []
      : [`SVC_OPERATOR_NAME=${operator.name}`, `SVC_OPERATOR_PASSWORD=${operator.password}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Creates the first application and the first operator, unless they exist already. */
async function createFirstAccess(app: App, config: Config): Promise<FirstAccess> {
  const { firstClientId, firstClientSecret, firstOperatorPassword } = config;
  const { clientId, clientSecret } = await app.applications.createFirstApplication({
    name: 'First application',
    clientId: firstClientId,
    clientSecret: firstClientSecret,
  });
  const operator = await app.operators.createFirst({ password: firstOperatorPassword });
  return {
    clientId,
    clientSecret: firstClientSecret === undefined ? clientSecret : undefined,
    operator: operator && {
      name: operator.name,
      password: firstOperatorPassword === undefined ? operator.password : undefined,
      isGiven: firstOperatorPassword !== undefined,
    },
  };
}

/**
 * Writes secrets to a file unless stdout is a terminal, because container platforms store everything that a service
 * prints.
 */
function hideSecrets(access: FirstAccess, { data }: Config): DisplayedAccess {
  const lines = secretLines(access);
  if (process.stdout.isTTY || lines === '') return access;
  const secretsFile = writeSecretFile(data, FIRST_SECRETS, lines);
  const { clientId, operator } = access;
  return { clientId, operator: operator && { ...operator, password: undefined }, secretsFile };
}

/**
 * Creates a one-time sign-in link. A development start always creates one, a production start only when the service
 * starts for the first time. Later, operators create links by a command.
 */
export async function makeSignInLink(
  app: App,
  { data, production }: Config,
  isFirst: boolean,
): Promise<Started['signIn']> {
  if (production && !isFirst) return undefined;
  const { name, link } = await app.signInLinks.createForFirstOwner();
  if (process.stdout.isTTY) return { name, link };
  return { name, file: replaceSecretFile(data, SIGN_IN_LINK, `${link}\n`) };
}

/** Returns the path of the file with the secrets of an earlier first start, if the file exists. */
function findEarlierSecrets({ data }: Config): string | undefined {
  const file = path.join(data, FIRST_SECRETS.name);
  return existsSync(file) ? file : undefined;
}

function differentAddress({ environmentUrl, host, port }: Config): string | undefined {
  if (portOf(environmentUrl) === port) return undefined;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Creates the first application and operator, connects the sandbox, and returns the data for the banner. */
export async function bootstrap(
  app: App,
  config: Config,
  emulators: Emulators | undefined,
): Promise<Bootstrapped> {
  const displayed = hideSecrets(await createFirstAccess(app, config), config);
  const connected = emulators && (await connectSandbox(app, displayed.clientId, emulators));
  return {
    environmentUrl: config.environmentUrl,
    proxyUrl: config.proxyAddress?.url,
    ...displayed,
    earlierSecretsFile: findEarlierSecrets(config),
    listensOn: differentAddress(config),
    sandbox: emulators && connected && { url: emulators.sandbox.url, connections: connected.connections },
    warnings: connected?.warnings ?? [],
  };
}
