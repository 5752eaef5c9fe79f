import type { Connector, Example, Tool } from '@svc/catalog';
import { code, table } from './markdown.js';
import { authorizationSection, keyOf } from './readme-authorization.js';
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
    `${connector.description} The package has typed tools for ${linkedApi(connector)}. The TypeScript compiler checks every input and result.`,
    ...firstCall(name, connector, modules),
    ...authorizationSection(connector),
    ...toolTable(modules),
    ...examples(connector, modules),
    recipes,
    ...webhookEvents(connector),
    ...versions(modules),
    ...ERRORS,
    ...beforeACall(name, modules),
    ...forModels(name, connector),
  ];
}

function aboutRecipes(name: string, connector: Connector, recipes: string): readonly string[] {
  return [
    `${connector.description} The package has typed recipes for ${linkedApi(connector)}.`,
    code('sh', `npm install ${name}`),
    recipes,
    ...ERRORS,
  ];
}

const linkedApi = ({ api, documentation }: Connector): string =>
  documentation === undefined ? api : `[${api}](${documentation})`;

const CONSENT =
  'To give consent, the user opens the `link` that `client.getAuthorizationLink({ connectionName, identifier })` returns.';

function firstCall(name: string, connector: Connector, modules: readonly ToolModule[]): readonly string[] {
  const { id, auth } = connector;
  const key = keyOf(auth);
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
    `Without arguments, \`createClient\` reads \`SVC_ENVIRONMENT_URL\`, \`SVC_CLIENT_ID\` and \`SVC_CLIENT_SECRET\`. ${key?.advice ?? CONSENT}`,
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
  return [
    '## Examples',
    `In the examples, \`tools\` is \`${connector.id}(client, account)\`, as in the section "First call".`,
    ...sections,
  ];
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
    '// Read the items of all pages',
    statement(start, inputOf(module), ')) {'),
    '  console.log(item);',
    '}',
  ];
}

function webhookEvents({ id, webhooks }: Connector): readonly string[] {
  const triggers = Object.entries(webhooks?.triggers ?? {});
  const [first] = triggers;
  if (first === undefined) return [];
  const rows = triggers.map(([name, { description }]) => [`\`${id}.${name}\``, description]);
  const [trigger] = first;
  return [
    '## Webhooks',
    `The service receives the webhooks of the upstream, and delivers their payloads to your webhook endpoints as signed events. Subscribe an account to a trigger with \`manage(client).accounts.webhooks.create(account, { trigger: '${trigger}' })\`. After an import of this package, \`event.data.payload\` has the type that belongs to \`event.type\`. The service does not validate the payloads of webhooks.`,
    table(['Type of event', 'When'], rows),
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

function versions(modules: readonly ToolModule[]): readonly string[] {
  const several = modules.flatMap(({ description: { tool, method, contracts } }) =>
    tool.versions.length === 1
      ? []
      : [`- \`${method}\`: ${contracts.map(({ schemaVersion }) => `\`${schemaVersion}\``).join(', ')}`],
  );
  const which =
    several.length === 0
      ? 'Every tool of this package has one version.'
      : `The tools in this list have several schema versions; the TypeScript types follow the version that you choose:\n\n${several.join('\n')}`;
  return [
    '## Versions',
    'A tool call runs the tool version from which this package was generated, so types and results always match. To choose a different tool version, set ' +
      '`schemaVersion` (input and output) or `toolVersion` (implementation) in the options of the tool call. Code with an unknown tool version does not compile.',
    which,
    'The TypeScript type of a result has the documented fields. The upstream may add fields and new enumeration values.',
  ];
}

const ERRORS = [
  '## Errors',
  'Every failed tool call throws a `ServiceError` with `code`, `status`, `message` and `requestId`. Check the class of the error:',
  table(
    ['Class', 'When'],
    [
      [
        '`InvalidInputError`',
        'The input is not valid. `errors` lists the broken rules, and nothing was sent upstream.',
      ],
      [
        '`AccountNotAuthorizedError`',
        'The user must give consent. Show the user the link that `getLink()` returns.',
      ],
      [
        '`UpstreamError`',
        'The upstream refused the request. `status` and `body` come from the upstream. `advice` says what to do, if the connector knows the error.',
      ],
      ['`RateLimitedError`', 'The calls exceeded a rate limit. Retry after `retryAfter` seconds.'],
      [
        '`ConnectionError`, `TimeoutError`',
        'The tool call got no response, or no response in time, but the upstream may have run the call.',
      ],
    ],
  ),
];

function beforeACall(name: string, [first]: readonly ToolModule[]): readonly string[] {
  if (first === undefined) return [];
  const validator = validatorName(currentTypes(first).input);
  return [
    '## Before a call',
    `\`import { ${validator} } from '${name}/validate'\` imports a validator with two functions. \`${validator}.isValid(input)\` is a type guard. \`${validator}.problems(input)\` returns the broken rules with the same messages as the service. The package has a validator for every tool.`,
  ];
}

function forModels(name: string, connector: Connector): readonly string[] {
  const { tools } = connector;
  const [tool] = tools;
  const dialects = dialectsOf(connector).map((dialect) => `\`${name}/schemas/${dialect}\``);
  const example = tool === undefined ? '' : `\n\nconst { description, inputSchema } = schemas.${tool.name};`;
  return [
    '## For models',
    `The import path \`${name}/schemas\` exports the name, title, description, hints and JSON Schemas of every tool, for a language model.`,
    code('ts', `import { schemas } from '${name}/schemas';${example}`),
    ...(dialects.length === 0
      ? []
      : [
          `If the vendor of your model supports only a part of JSON Schema, use the schemas for that vendor, from one of ${dialects.join(', ')}. \`@svc/agents\` passes the schemas to agent frameworks, and converts a model's arguments to the input of the tool.`,
        ]),
  ];
}
