import type { Answer } from '../../api/call.ts';

export type Connector = Pick<
  Answer<'GET /operator/v1/connectors'>['items'][number],
  'id' | 'title' | 'authType'
>;

/** A tool's name and an input that it takes. */
export interface ExampleCall {
  readonly toolName: string;
  readonly input: unknown;
}

interface Client {
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** What the client of `@svc/core` reads by itself. */
export const environmentLines = ({ environmentUrl, clientId, clientSecret }: Client): string =>
  [
    `SVC_ENVIRONMENT_URL=${environmentUrl}`,
    `SVC_CLIENT_ID=${clientId}`,
    `SVC_CLIENT_SECRET=${clientSecret ?? '…'}`,
  ].join('\n');

/** A connector's package brings the client along. */
export const installLine = (connectorId: string): string => `npm i @svc/${connectorId}`;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A value of JSON as people write it in TypeScript. */
export function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => literalOf(item, deeper))
    : Object.entries(value).map(
        ([key, item]) => `${IDENTIFIER.test(key) ? key : quoted(key)}: ${literalOf(item, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (lines.length === 0) return `${open}${close}`;
  const space = Array.isArray(value) ? '' : ' ';
  const short = `${open}${space}${lines.join(', ')}${space}${close}`;
  if (short.length <= 60 && !short.includes('\n')) return short;
  return `${open}\n${lines.map((line) => `${deeper}${line},\n`).join('')}${indent}${close}`;
}

/** The method of a connector's package that runs the tool: `calendar_create_event` is `createEvent` there. */
export const methodOf = (connectorId: string, toolName: string): string =>
  toolName
    .slice(connectorId.length + 1)
    .replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const CONSENT = [
  '// Once for each user: send them to this link, on which they agree.',
  'const { link } = await svc.getAuthorizationLink(user);',
  'console.log(link);',
];

/** How an account comes to be authorized. */
const ACCOUNT: Readonly<Record<Connector['authType'], readonly string[]>> = {
  oauth2: CONSENT,
  mcp_oauth: CONSENT,
  api_key: [
    '// Once for each user, with the key that they gave you:',
    "await svc.getOrCreateConnectedAccount({ ...user, apiKey: 'the key of this user' });",
  ],
  bearer_token: [
    '// Once for each user, with the token that they gave you:',
    "await svc.getOrCreateConnectedAccount({ ...user, bearerToken: 'the token of this user' });",
  ],
};

interface FirstCall {
  readonly connector: Connector;
  readonly connectionName: string;
  /** Absent for a connector without tools: its API is called as it is. */
  readonly example: ExampleCall | undefined;
}

const callLine = (connectorId: string, example: ExampleCall | undefined): string =>
  example === undefined
    ? "await svc.request({ ...user, method: 'GET', path: '/' }); // any path of its API"
    : `await ${connectorId}(svc, user).${methodOf(connectorId, example.toolName)}(${literalOf(example.input)});`;

/** A whole program: a user's account, and one call as that user. */
export const programLines = ({ connector: { id, authType }, connectionName, example }: FirstCall): string =>
  [
    `import { ${[...(example ? [id] : []), 'createClient'].sort().join(', ')} } from '@svc/${id}';`,
    '',
    'const svc = createClient();',
    `const user = { connectionName: ${quoted(connectionName)}, identifier: 'user_42' };`,
    '',
    ...ACCOUNT[authType],
    '',
    '// From then on:',
    `const { data } = ${callLine(id, example)}`,
    'console.log(data);',
  ].join('\n');

/** The same without a package: a token, and a call with it. */
export const curlLines = ({ environmentUrl, clientId }: Client): string =>
  [
    `curl -u "${clientId}:$SVC_CLIENT_SECRET" -d grant_type=client_credentials \\`,
    `  ${environmentUrl}/oauth/token`,
    '',
    `curl -H "Authorization: Bearer $TOKEN" ${environmentUrl}/v1/connections`,
  ].join('\n');
