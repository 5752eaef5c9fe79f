import { bulletList } from '../text/bullet-list.js';

export interface FirstOperator {
  readonly name: string;
  /** Absent where the banner does not show it. */
  readonly password?: string | undefined;
  /** True if SVC_FIRST_OPERATOR_PASSWORD set the password. */
  readonly isGiven: boolean;
}

export interface SignIn {
  readonly name: string;
  /** Absent where the banner does not show it. */
  readonly link?: string;
  /** The file that has the link where the banner does not show it. */
  readonly file?: string;
}

export interface Started {
  readonly environmentUrl: string;
  /** URL of the proxy port, where there is one. */
  readonly proxyUrl?: string | undefined;
  readonly clientId: string;
  /** Present only if it was made at this start and the banner shows it. */
  readonly clientSecret?: string | undefined;
  /** Present only if it was made at this start. */
  readonly operator?: FirstOperator | undefined;
  /** A one-time sign-in link; absent where none was made. */
  readonly signIn?: SignIn | undefined;
  /** The file that has the secrets of this start where the banner does not show them. */
  readonly secretsFile?: string | undefined;
  readonly sandbox?: { readonly url: string; readonly connections: readonly string[] } | undefined;
  /** Sentences about settings that production refuses. */
  readonly refused: readonly string[];
  readonly doubtful: readonly string[];
}

function describeSecrets({ clientId, clientSecret, secretsFile }: Started): string {
  if (clientSecret !== undefined) return 'Store the client secret now. It is not shown again.';
  if (secretsFile !== undefined)
    return `The secrets of this first start are in ${secretsFile}, readable by this user only. Copy them to a safe place and delete the file.`;
  return `The client secret was shown at the first start. \`svc-server apps secrets add ${clientId}\` makes another one.`;
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
  const target = link ?? `the link in ${file}, which is for this user alone`;
  return [`Sign in as ${name}, once and within 15 minutes: ${target}`];
}

const describeProxy = ({ proxyUrl }: Started): readonly string[] =>
  proxyUrl === undefined ? [] : [`Vendors' own clients, with a token of one account: ${proxyUrl}`];

const section = (title: string, sentences: readonly string[]): string =>
  sentences.length === 0 ? '' : `\n${title}\n\n${bulletList(sentences)}\n`;

/** Text that the operator sees when the service is ready. */
export function banner(started: Started): string {
  const { environmentUrl, clientId, clientSecret, sandbox, refused, doubtful } = started;
  const settings = [
    `SVC_ENVIRONMENT_URL=${environmentUrl}`,
    `SVC_CLIENT_ID=${clientId}`,
    ...(clientSecret === undefined ? [] : [`SVC_CLIENT_SECRET=${clientSecret}`]),
  ];
  const upstreams = sandbox && [
    `Emulated upstreams: ${sandbox.url}, with a connection to each: ${sandbox.connections.join(', ')}`,
  ];
  return `
The agent connector service is ready on ${environmentUrl}

Settings of your application:

  ${settings.join('\n  ')}

${[describeSecrets(started), ...describeOperator(started), ...describeSignIn(started), ...(upstreams ?? []), ...describeProxy(started), `Operations: ${environmentUrl}/openapi.json`].join('\n')}
${section('This is a start for development; with SVC_PRODUCTION=1 it would be refused:', refused)}${section('Look at this:', doubtful)}`;
}
