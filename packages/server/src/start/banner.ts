import { bulletList } from '../text/bullet-list.js';

export interface FirstOperator {
  readonly name: string;
  /**
   * Password of the operator. Absent if the banner must not show it, because SVC_FIRST_OPERATOR_PASSWORD set it or a
   * file contains it.
   */
  readonly password?: string | undefined;
  /** True if SVC_FIRST_OPERATOR_PASSWORD set the password. */
  readonly isGiven: boolean;
}

export interface SignIn {
  readonly name: string;
  /** One-time sign-in link. Absent if stdout is not a terminal; the link is then in `file`. */
  readonly link?: string;
  /** Path of the file that contains the sign-in link. Present if stdout is not a terminal. */
  readonly file?: string;
}

export interface Started {
  /** Version of the service. */
  readonly version: string;
  readonly environmentUrl: string;
  /** URL of the proxy port. Absent if the proxy port is disabled. */
  readonly proxyUrl?: string | undefined;
  readonly clientId: string;
  /** Client secret of the first application. Present only if this start generated it and stdout is a terminal. */
  readonly clientSecret?: string | undefined;
  /** First operator. Present only if this start created the operator. */
  readonly operator?: FirstOperator | undefined;
  /** One-time sign-in link of an operator. Absent if this start created no link. */
  readonly signIn?: SignIn | undefined;
  /** Path of the file that contains the generated secrets. Present if stdout is not a terminal. */
  readonly secretsFile?: string | undefined;
  /** Path of the file with the secrets of an earlier first start. Absent if the operator deleted the file. */
  readonly earlierSecretsFile?: string | undefined;
  /** Address on which the process listens. Present only if its port is not that of `environmentUrl`. */
  readonly listensOn?: string | undefined;
  /** Command that runs `svc-server` in this installation. */
  readonly command: string;
  readonly sandbox?: { readonly url: string; readonly connections: readonly string[] } | undefined;
  /** Sentences about settings with which a production start would fail. */
  readonly refused: readonly string[];
  readonly doubtful: readonly string[];
}

function describeSecrets(started: Started): string {
  const { clientId, clientSecret, secretsFile, earlierSecretsFile, command } = started;
  if (clientSecret !== undefined) return 'Store the client secret now. It is not shown again.';
  if (secretsFile !== undefined)
    return `The secrets of this first start are in ${secretsFile}, readable by this user only. Copy them to a safe place and delete the file.`;
  const another = `\`${command} apps secrets add ${clientId}\` creates another client secret.`;
  return earlierSecretsFile === undefined
    ? `The service shows a client secret only once. ${another}`
    : `The secrets of the first start are in ${earlierSecretsFile}. ${another}`;
}

function describeOperator({ operator }: Started): readonly string[] {
  if (operator === undefined) return [];
  const { name, password, isGiven } = operator;
  if (password !== undefined) return [`Operator: ${name}, with the password ${password} (not shown again)`];
  const source = isGiven ? 'of SVC_FIRST_OPERATOR_PASSWORD' : 'in that file';
  return [`Operator: ${name}, with the password ${source}`];
}

function describeSignIn({ signIn }: Started): readonly string[] {
  if (signIn === undefined) return [];
  const { name, link, file } = signIn;
  const target = link ?? `the link is in ${file}, which only this user can read`;
  return [`Sign in as ${name}, once and within 15 minutes: ${target}`];
}

const describeListening = ({ listensOn }: Started): readonly string[] =>
  listensOn === undefined ? [] : [`The process listens on ${listensOn}`];

const describeProxy = ({ proxyUrl }: Started): readonly string[] =>
  proxyUrl === undefined
    ? []
    : [`Proxy port for the API clients of vendors, which send an account token: ${proxyUrl}`];

const section = (title: string, sentences: readonly string[]): string =>
  sentences.length === 0 ? '' : `\n${title}\n\n${bulletList(sentences)}\n`;

/** Builds the text that the operator sees when the service is ready. */
export function banner(started: Started): string {
  const { version, environmentUrl, clientId, clientSecret, sandbox, refused, doubtful } = started;
  const settings = [
    `SVC_ENVIRONMENT_URL=${environmentUrl}`,
    `SVC_CLIENT_ID=${clientId}`,
    ...(clientSecret === undefined ? [] : [`SVC_CLIENT_SECRET=${clientSecret}`]),
  ];
  const upstreams = sandbox && [
    `Emulated upstreams: ${sandbox.url}, with a connection to each: ${sandbox.connections.join(', ')}`,
  ];
  return `
The agent connector service ${version} is ready on ${environmentUrl}

Settings of your application:

  ${settings.join('\n  ')}

${[describeSecrets(started), ...describeOperator(started), ...describeSignIn(started), ...(upstreams ?? []), ...describeListening(started), ...describeProxy(started), `Operations: ${environmentUrl}/openapi.json`].join('\n')}
${section('The service runs in development mode. Before you set SVC_PRODUCTION=1, fix:', refused)}${section('Check these settings:', doubtful)}`;
}
