import type { Connector, Example, Tool } from '@svc/catalog';
import { dialectsOf } from './schemas-module.js';
import { currentTypes, type ToolModule } from './tool-module.js';
import { typescriptLiteral } from './typescript-literal.js';
import { validatorName } from './validate-module.js';

/**
 * Returns the README of a connector package, with a runnable example of every tool and the given section about recipes.
 */
export function readme(
  name: string,
  connector: Connector,
  modules: readonly ToolModule[],
  recipes?: string,
): string {
  return `${[
    `# ${name}`,
    ...(modules.length > 0 || recipes === undefined
      ? aboutTools(name, connector, modules, recipes)
      : aboutRecipes(name, connector, recipes)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function aboutTools(
  name: string,
  connector: Connector,
  modules: readonly ToolModule[],
  recipes = '',
): readonly string[] {
  return [
    `${connector.description} Typed tools over ${connector.api}: the compiler checks every input and result.`,
    ...firstCall(name, connector, modules),
    ...toolTable(modules),
    ...examples(connector, modules),
    recipes,
    ...versions(connector, modules),
    ...ERRORS,
    ...beforeACall(name, modules),
    ...forModels(name, connector),
  ];
}

function aboutRecipes(name: string, { description, api }: Connector, recipes: string): readonly string[] {
  return [`${description} Typed recipes over ${api}.`, code('sh', `npm install ${name}`), recipes, ...ERRORS];
}

const CONSENT =
  'A user who has not consented yet opens the `link` that `client.getAuthorizationLink` returns for the same connection and identifier.';

/** Name, sample and advice for the credential of accounts that need no browser consent, by authorization type. */
const KEYS: Readonly<Record<string, { field: string; sample: string; advice: string } | undefined>> = {
  api_key: {
    field: 'apiKey',
    sample: 'the key of user_42',
    advice:
      'Give the API key once: it is stored encrypted and never shown again. Give another one to replace it.',
  },
  bearer_token: {
    field: 'bearerToken',
    sample: 'the token of user_42',
    advice:
      'Give the token once: it is stored encrypted and never shown again. Give another one to replace it.',
  },
};

function firstCall(name: string, connector: Connector, modules: readonly ToolModule[]): readonly string[] {
  const { id, auth } = connector;
  const key = KEYS[auth.type];
  const account = { connectionName: id, identifier: 'user_42', ...(key && { [key.field]: key.sample }) };
  return [
    '## First call',
    code('sh', `npm install ${name}`),
    code(
      'ts',
      [
        `import { ${[id, 'createClient'].sort().join(', ')} } from '${name}';`,
        '',
        'const client = createClient(); // or pass environmentUrl, clientId and clientSecret',
        statement('const account = await client.getOrCreateConnectedAccount(', account, ');'),
        `const tools = ${id}(client, account);`,
        ...modules.slice(0, 1).flatMap((module) => ['', call(module)]),
      ].join('\n'),
    ),
    `Without arguments the client reads \`SVC_ENVIRONMENT_URL\`, \`SVC_CLIENT_ID\` and \`SVC_CLIENT_SECRET\`. ${key?.advice ?? CONSENT}`,
  ];
}

function toolTable(modules: readonly ToolModule[]): readonly string[] {
  const rows = modules.map(({ description: { tool, method } }) => [
    `[\`${method}\`](#${method.toLowerCase()})`,
    `\`${tool.name}\``,
    tool.title,
    effectOf(tool),
  ]);
  return ['## Tools', table(['Method', 'Tool', 'What it does', 'Effect'], rows)];
}

function effectOf({ hints }: Tool): string {
  if (hints.readOnly) return 'reads';
  return hints.destructive ? 'deletes or overwrites' : 'writes';
}

function examples(connector: Connector, modules: readonly ToolModule[]): readonly string[] {
  const sections = modules.flatMap((module) => {
    const { tool, method } = module.description;
    const title = (firstExample(module)?.title ?? tool.title).replaceAll(/\s+/g, ' ');
    const lines = [`// ${title}`, call(module), ...iteration(module)];
    return [`### ${method}`, tool.description, code('ts', lines.join('\n'))];
  });
  return ['## Examples', `\`tools\` is \`${connector.id}(client, account)\`, as above.`, ...sections];
}

function call(module: ToolModule): string {
  const version = firstExample(module)?.version;
  const options = version === undefined ? '' : `, { schemaVersion: '${version}' }`;
  return statement(
    `const { data } = await tools.${module.description.method}(`,
    inputOf(module),
    `${options});`,
  );
}

function iteration(module: ToolModule): readonly string[] {
  if (currentTypes(module).item === undefined) return [];
  const start = `for await (const item of tools.${module.description.method}.each(`;
  return [
    '',
    '// Every item of every page',
    statement(start, inputOf(module), ')) {'),
    '  console.log(item);',
    '}',
  ];
}

const CODE_WIDTH = 80;

function statement(start: string, value: unknown, end: string): string {
  return start + typescriptLiteral(value, { taken: start.length + end.length, width: CODE_WIDTH }) + end;
}

function inputOf(module: ToolModule): unknown {
  return firstExample(module)?.input ?? {};
}

function firstExample({ description: { tool } }: ToolModule): Example | undefined {
  return tool.examples[0];
}

function versions(connector: Connector, modules: readonly ToolModule[]): readonly string[] {
  const several = modules.flatMap(({ description: { tool, method, contracts } }) =>
    tool.versions.length === 1
      ? []
      : [`- \`${method}\`: ${contracts.map(({ schemaVersion }) => `\`${schemaVersion}\``).join(', ')}`],
  );
  const which =
    several.length === 0
      ? 'Every tool of this package has one version.'
      : `These tools have several schema versions; the types follow the version that you choose:\n\n${several.join('\n')}`;
  return [
    '## Versions',
    'A call runs the version from which this package was generated, so types and results always match. To choose another version, set ' +
      '`schemaVersion` (input and output) or `toolVersion` (implementation) in the call options. A version that does not exist does not compile.',
    which,
    `Results have the typed fields. ${connector.title} may send additional fields and new enumeration values.`,
  ];
}

const ERRORS = [
  '## Errors',
  'Every failure is a `ServiceError` with `code`, `status`, `message` and `requestId`. Branch on the class:',
  table(
    ['Class', 'When'],
    [
      [
        '`InvalidInputError`',
        'the input is not valid; `errors` lists the broken rules, and nothing was sent',
      ],
      [
        '`AccountNotAuthorizedError`',
        'the user must consent; show the user the link that `getLink()` returns',
      ],
      [
        '`UpstreamError`',
        'the upstream refused; `status` and `body` come from the upstream, and `advice` says what to do if that is known',
      ],
      ['`RateLimitedError`', 'too many calls; retry after `retryAfter` seconds'],
      ['`ConnectionError`, `TimeoutError`', 'no response, or none in time; the call may have taken effect'],
    ],
  ),
];

function beforeACall(name: string, [first]: readonly ToolModule[]): readonly string[] {
  if (first === undefined) return [];
  const validator = validatorName(currentTypes(first).input);
  return [
    '## Before a call',
    `\`import { ${validator} } from '${name}/validate'\` gives two functions. \`${validator}.isValid(input)\` is a type guard. \`${validator}.problems(input)\` returns the broken rules with the messages of the service. Every tool has such a validator.`,
  ];
}

function forModels(name: string, connector: Connector): readonly string[] {
  const { tools } = connector;
  const [tool] = tools;
  const dialects = dialectsOf(connector).map((dialect) => `\`${name}/schemas/${dialect}\``);
  const example = tool === undefined ? '' : `\n\nconst { description, inputSchema } = schemas.${tool.name};`;
  return [
    '## For models',
    'A separate import path exports the name, title, description, hints and JSON Schemas of every tool, for a model.',
    code('ts', `import { schemas } from '${name}/schemas';${example}`),
    ...(dialects.length === 0
      ? []
      : [
          `Vendors with strict schemas support only a part of JSON Schema. Use ${dialects.join(', ')} for them. \`@svc/agents\` passes these schemas to agent frameworks, and converts a model's arguments to the input of the tool.`,
        ]),
  ];
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Returns a Markdown table with aligned columns. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...escaped.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = [], ...others] = escaped;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}
