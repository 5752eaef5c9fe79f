import type { JsonObject } from '@svc/catalog/rules';
import { methodName, typescriptLiteral } from '@svc/codegen/source';

/** Tool call that the code samples contain. */
export interface SampledCall {
  readonly tool: { readonly name: string; readonly connector: string };
  readonly environmentUrl: string;
  readonly account: {
    readonly connectionName: string;
    readonly identifier: string;
    readonly account?: string;
  };
  readonly input: JsonObject;
  /** Version of the tool. `undefined` means the current version. */
  readonly version?: { readonly schemaVersion: string; readonly toolVersion: string } | undefined;
}

const WIDTH = 80;

/** Builds a statement that contains a value. The statement has one line if it fits into 80 characters. */
export const statement = (start: string, value: unknown, end: string): string =>
  start + typescriptLiteral(value, { taken: start.length + end.length, width: WIDTH }) + end;

const createClient = (environmentUrl: string): string =>
  `// SVC_CLIENT_ID and SVC_CLIENT_SECRET come from the environment.\n${statement('const client = createClient(', { environmentUrl }, ');')}`;

const nameOf = ({ account: { connectionName, identifier, account } }: SampledCall) => ({
  connectionName,
  identifier,
  ...(account && { account }),
});

/** Builds sample code that uses the typed package of the connector. */
export function packageSample(call: SampledCall): string {
  const { tool, environmentUrl, input, version } = call;
  const options = version === undefined ? '' : `, ${typescriptLiteral(version)}`;
  const names = ['createClient', tool.connector].sort().join(', ');
  return [
    `import { ${names} } from '@svc/${tool.connector}';`,
    '',
    createClient(environmentUrl),
    statement(`const tools = ${tool.connector}(client, `, nameOf(call), ');'),
    '',
    statement(`const { data } = await tools.${methodName(tool)}(`, input, `${options});`),
  ].join('\n');
}

/** Builds sample code that calls the tool by its name, for programs that choose tools at run time. */
export function toolSample(call: SampledCall): string {
  const { tool, environmentUrl, input, version } = call;
  return [
    "import { createClient } from '@svc/core';",
    '',
    createClient(environmentUrl),
    statement(
      'const { data } = await client.executeTool(',
      { toolName: tool.name, ...nameOf(call), toolInput: input, ...version },
      ');',
    ),
  ].join('\n');
}

/** Quotes text as a single word of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Builds the shell command that requests an access token and stores it in a variable. */
export const tokenSample = (environmentUrl: string): string =>
  [
    'SVC_TOKEN=$(curl -s -u "$SVC_CLIENT_ID:$SVC_CLIENT_SECRET" -d grant_type=client_credentials \\',
    `  ${shellQuoted(`${environmentUrl}/oauth/token`)} | jq -r .access_token)`,
  ].join('\n');

/** Builds sample commands for curl. They first request an access token. */
export function curlSample(call: SampledCall): string {
  const { tool, environmentUrl, input, version } = call;
  const body = { ...nameOf(call), toolInput: input, ...version };
  return [
    tokenSample(environmentUrl),
    '',
    `curl ${shellQuoted(`${environmentUrl}/v1/tools/${tool.name}/execute`)} \\`,
    '  -H "authorization: Bearer $SVC_TOKEN" -H \'content-type: application/json\' \\',
    `  --data-raw ${shellQuoted(JSON.stringify(body, null, 2))}`,
  ].join('\n');
}
