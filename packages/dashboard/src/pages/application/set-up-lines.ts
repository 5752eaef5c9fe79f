import { methodName, typescriptLiteral } from '@svc/codegen/source';
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
    : `await ${connectorId}(svc, user).${methodName({ connector: connectorId, name: example.toolName })}(${typescriptLiteral(example.input)});`;

/** A whole program: a user's account, and one call as that user. */
export const programLines = ({ connector: { id, authType }, connectionName, example }: FirstCall): string =>
  [
    `import { ${[...(example ? [id] : []), 'createClient'].sort().join(', ')} } from '@svc/${id}';`,
    '',
    'const svc = createClient();',
    `const user = { connectionName: ${typescriptLiteral(connectionName)}, identifier: 'user_42' };`,
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
