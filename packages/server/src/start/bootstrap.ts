import type { Sandbox } from '@svc/sandbox';
import type { App } from '../assembly/app.js';
import type { Config } from '../config/config.js';
import { FIRST_SECRETS, replaceSecretFile, SIGN_IN_LINK, writeSecretFile } from '../storage/secret-file.js';
import type { Started } from './banner.js';
import { connectSandbox } from './connect-sandbox.js';
import type { SandboxClients } from './sandbox-clients.js';

export interface Emulators {
  readonly sandbox: Sandbox;
  readonly clients: SandboxClients;
}

type FirstAccess = Pick<Started, 'clientId' | 'clientSecret' | 'operator'>;
type ShownAccess = FirstAccess & Pick<Started, 'secretsFile'>;
interface Bootstrapped extends Omit<Started, 'signIn' | 'refused' | 'doubtful'> {
  /** Sentences for the operator about what could not be set up. */
  readonly warnings: readonly string[];
}

/** Generated secrets as lines of a settings file. */
function secretLines({ clientId, clientSecret, operator }: FirstAccess): string {
  const lines = [
    ...(clientSecret === undefined ? [] : [`SVC_CLIENT_ID=${clientId}`, `SVC_CLIENT_SECRET=${clientSecret}`]),
    ...(operator?.password === undefined
      ? []
      : [`SVC_OPERATOR_NAME=${operator.name}`, `SVC_OPERATOR_PASSWORD=${operator.password}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Creates the first application and the first operator where there are none. */
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

/** Moves secrets to a file unless stdout is a terminal, because logs of containers are stored. */
function hideSecrets(access: FirstAccess, { data }: Config): ShownAccess {
  const lines = secretLines(access);
  if (process.stdout.isTTY || lines === '') return access;
  const secretsFile = writeSecretFile(data, FIRST_SECRETS, lines);
  const { clientId, operator } = access;
  return { clientId, operator: operator && { ...operator, password: undefined }, secretsFile };
}

/** Makes a one-time sign-in link at the first start and at every development start. In production, a command makes them. */
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

/** Creates what a first start needs, connects the sandbox, and returns the facts for the banner. */
export async function bootstrap(
  app: App,
  config: Config,
  emulators: Emulators | undefined,
): Promise<Bootstrapped> {
  const shown = hideSecrets(await createFirstAccess(app, config), config);
  const connected = emulators && (await connectSandbox(app, shown.clientId, emulators));
  return {
    environmentUrl: config.environmentUrl,
    proxyUrl: config.proxyAddress?.url,
    ...shown,
    sandbox: emulators && connected && { url: emulators.sandbox.url, connections: connected.connections },
    warnings: connected?.warnings ?? [],
  };
}
