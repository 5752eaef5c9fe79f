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

type Made = Pick<Started, 'clientId' | 'clientSecret' | 'operator'>;
type Shown = Made & Pick<Started, 'secretsFile'>;
type Introduced = Omit<Started, 'signIn' | 'refused' | 'doubtful'>;

/** What a first start made at random, as the lines of a file of settings. */
function secretLines({ clientId, clientSecret, operator }: Made): string {
  const lines = [
    ...(clientSecret === undefined ? [] : [`SVC_CLIENT_ID=${clientId}`, `SVC_CLIENT_SECRET=${clientSecret}`]),
    ...(operator?.password === undefined
      ? []
      : [`SVC_OPERATOR_NAME=${operator.name}`, `SVC_OPERATOR_PASSWORD=${operator.password}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

async function makeFirst(app: App, config: Config): Promise<Made> {
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

/** Others keep what is written where no person reads it, as logs of containers: secrets go into a file instead. */
function hideSecrets(made: Made, { data }: Config): Shown {
  const lines = secretLines(made);
  if (process.stdout.isTTY || lines === '') return made;
  const secretsFile = writeSecretFile(data, FIRST_SECRETS, lines);
  const { clientId, operator } = made;
  return { clientId, operator: operator && { ...operator, password: undefined }, secretsFile };
}

/** At the first start, and wherever a start is for development: where the service is for real users, who asks gets one. */
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

/** Makes what a first start makes, and says what there is to know of this start. */
export async function introduce(
  app: App,
  config: Config,
  emulators: Emulators | undefined,
): Promise<Introduced> {
  const shown = hideSecrets(await makeFirst(app, config), config);
  const connections = emulators && (await connectSandbox(app, shown.clientId, emulators));
  return {
    environmentUrl: config.environmentUrl,
    proxyUrl: config.proxyAddress?.url,
    ...shown,
    sandbox: emulators && connections && { url: emulators.sandbox.url, connections },
  };
}
