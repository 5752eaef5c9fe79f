import { methodName } from '@svc/codegen/source';
import type { ResponseOf } from '../../api/call.ts';
import { shellQuoted, statement, tokenSample } from '../tools/code-samples.ts';

export type Connector = Pick<
  ResponseOf<'GET /operator/v1/connectors'>['items'][number],
  'id' | 'title' | 'authType'
>;

export interface ExampleCall {
  readonly toolName: string;
  readonly input: unknown;
}

export const installLine = (connectorId: string): string => `npm i @svc/${connectorId}`;

const CONSENT = [
  '// Once per user: send the user this link to ask for consent.',
  'const { link } = await client.getAuthorizationLink(user);',
  'console.log(link);',
];

/** Sample code that connects an account, by the authorization type of the connector. */
const CONNECT_ACCOUNT: Readonly<Record<Connector['authType'], readonly string[]>> = {
  oauth2: CONSENT,
  mcp_oauth: CONSENT,
  api_key: [
    '// Once per user, with their API key:',
    "await client.getOrCreateConnectedAccount({ ...user, apiKey: 'the key of this user' });",
  ],
  bearer_token: [
    '// Once per user, with their token:',
    "await client.getOrCreateConnectedAccount({ ...user, bearerToken: 'the token of this user' });",
  ],
};

interface FirstCall {
  readonly connector: Connector;
  readonly connectionName: string;
  /**
   * Tool call for the sample program. `undefined` for a connector without tools; the program then calls the connector's
   * API.
   */
  readonly example: ExampleCall | undefined;
}

const callLine = (connector: string, example: ExampleCall | undefined): string =>
  example === undefined
    ? "const { data } = await client.request({ ...user, method: 'GET', path: '/' }); // any path of the API"
    : statement(
        `const { data } = await ${connector}(client, user).${methodName({ connector, name: example.toolName })}(`,
        example.input,
        ');',
      );

/** Builds a sample program that connects an account and makes one call. */
export const programLines = ({ connector: { id, authType }, connectionName, example }: FirstCall): string =>
  [
    `import { ${[...(example ? [id] : []), 'createClient'].sort().join(', ')} } from '@svc/${id}';`,
    '',
    'const client = createClient();',
    statement('const user = ', { connectionName, identifier: 'user_42' }, ';'),
    '',
    ...CONNECT_ACCOUNT[authType],
    '',
    '// Then call the API as this user:',
    callLine(id, example),
    'console.log(data);',
  ].join('\n');

const agentLimits = (connectionName: string): string =>
  JSON.stringify({
    identifier: 'user_42',
    connections: [connectionName],
    approve: 'destructive',
    expiresIn: 86_400,
  });

/** Builds the shell commands that create an agent token and add the tools to Claude Code. */
export const mcpLines = (environmentUrl: string, connectionName: string): string =>
  [
    tokenSample(environmentUrl),
    '',
    `SVC_AGENT_TOKEN=$(curl -s -H "authorization: Bearer $SVC_TOKEN" -H 'content-type: application/json' \\`,
    `  -d ${shellQuoted(agentLimits(connectionName))} ${shellQuoted(`${environmentUrl}/v1/agent-tokens`)} | jq -r .token)`,
    '',
    `claude mcp add --transport http svc ${shellQuoted(`${environmentUrl}/mcp`)} --header "Authorization: Bearer $SVC_AGENT_TOKEN"`,
  ].join('\n');

/** Builds the configuration file in which editors list their MCP servers. */
export const mcpFile = (environmentUrl: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        svc: {
          url: `${environmentUrl}/mcp`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor replaces the variable.
          headers: { Authorization: 'Bearer ${env:SVC_AGENT_TOKEN}' },
        },
      },
    },
    undefined,
    2,
  );

/** Builds the curl commands that request an access token and make one API call. */
export const curlLines = (environmentUrl: string): string =>
  [
    tokenSample(environmentUrl),
    '',
    `curl -H "authorization: Bearer $SVC_TOKEN" ${shellQuoted(`${environmentUrl}/v1/connections`)}`,
  ].join('\n');
