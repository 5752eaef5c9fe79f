import type { JsonObject } from '@svc/catalog/rules';
import { methodName, typescriptLiteral } from '@svc/codegen/source';

/** A tool call to show as code. */
export interface SampledCall {
  readonly tool: { readonly name: string; readonly connector: string };
  readonly environmentUrl: string;
  readonly account: { readonly connectionName: string; readonly identifier: string };
  readonly input: JsonObject;
  /** `undefined` for the current version. */
  readonly version?: { readonly schemaVersion: string; readonly toolVersion: string } | undefined;
}

const WIDTH = 80;

/** A statement that contains data, on one line if it fits. */
export const statement = (start: string, value: unknown, end: string): string =>
  start + typescriptLiteral(value, { taken: start.length + end.length, width: WIDTH }) + end;

const createClient = (environmentUrl: string): string =>
  `// SVC_CLIENT_ID and SVC_CLIENT_SECRET come from the environment.\n${statement('const client = createClient(', { environmentUrl }, ');')}`;

const nameOf = ({ account: { connectionName, identifier } }: SampledCall) => ({ connectionName, identifier });

/** Sample with the typed package of the connector. */
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

/** Sample with the name of the tool, for programs that choose tools at run time. */
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

/** Quotes a text as one word of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that stores an access token in a shell variable. */
export const tokenSample = (environmentUrl: string): string =>
  [
    'SVC_TOKEN=$(curl -s -u "$SVC_CLIENT_ID:$SVC_CLIENT_SECRET" -d grant_type=client_credentials \\',
    `  ${shellQuoted(`${environmentUrl}/oauth/token`)} | jq -r .access_token)`,
  ].join('\n');

/** Sample with curl. It first requests an access token. */
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
