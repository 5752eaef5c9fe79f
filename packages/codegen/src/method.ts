import type { Connector, Tool } from '@svc/catalog';
import { expandGroups } from './expand-groups.js';
import { docComment, quoted } from './source-text.js';
import { type ContractTypes, currentTypes, type ToolModule } from './tool-module.js';
import { typescriptLiteral } from './typescript-literal.js';

/**
 * Returns the method of a tool in the connector's generated interface. Each overload repeats the doc comment,
 * because editors show only the comment of the overload that a call uses.
 */
export function methodSignature(module: ToolModule, connector: Connector): string {
  const { method } = module.description;
  const text = methodDoc(module, connector);
  const doc = docComment(text, '  ');
  return module.contracts.length > 1
    ? [doc, `  ${method}: {`, ...versionedCalls(module, docComment(text, '    ')), '  };'].join('\n')
    : singleMethod(method, currentTypes(module), doc).join('\n');
}

function singleMethod(
  method: string,
  { contract, input, output, item }: ContractTypes,
  doc: string,
): readonly string[] {
  const isOptional = expandGroups(contract.input).some(({ required }) => required.size === 0);
  const versions = `${quoted(contract.schemaVersion)}, ${literals(contract.toolVersions)}`;
  if (item !== undefined)
    return [
      doc,
      `  ${method}: PagedTool<${input}${isOptional ? ' | void' : ''}, ${output}, ${item}, ${versions}>;`,
    ];
  // Quotes the method name `new`, because an unquoted `new` in an interface declares a constructor.
  const name = method === 'new' ? quoted(method) : method;
  return [
    `  ${name}(input: ${input}${isOptional ? ' | undefined' : ''}, options: DryRunOptions<${versions}>): Promise<DryRunResult>;`,
    doc,
    `  ${name}(input${isOptional ? '?' : ''}: ${input}, options?: ToolOptions<${versions}>): Promise<ToolResult<${output}>>;`,
  ];
}

/**
 * Returns the overloads of a tool with several schema versions. `schema_version` is a type parameter, because an
 * overload for each version gives unreadable errors. The last overload has the current version, because `ReturnType`
 * and `Parameters` take the last one.
 */
function versionedCalls(module: ToolModule, doc: string): readonly string[] {
  const { typeName, tool, contracts, current } = module.description;
  const last = currentTypes(module);
  const versions = `${typeName}Versions`;
  const toolVersions = literals([...new Set(contracts.flatMap((contract) => contract.toolVersions))]);
  const versionInput = tool.versionInputs ? ' & { schema_version?: Version }' : '';
  const parameter = `Version extends keyof ${versions} = ${quoted(current.schemaVersion)}`;
  const input = `input: ${versions}[Version]['input']${versionInput}`;
  const options = `Options<Version, ${toolVersions}>`;
  const calls = [
    `    <${parameter}>(${input}, options: DryRun${options}): Promise<DryRunResult>;`,
    doc,
    `    <${parameter}>(${input}, options?: Tool${options}): Promise<ToolResult<${versions}[Version]['output']>>;`,
    doc,
    `    (input: ${last.input}, options?: ToolOptions<${quoted(current.schemaVersion)}, ${toolVersions}>): Promise<ToolResult<${last.output}>>;`,
  ];
  const isPaged = module.contracts.every(({ item }) => item !== undefined);
  return isPaged
    ? [
        ...calls,
        `    each<${parameter}>(${input}, options?: Tool${options}): AsyncIterable<${versions}[Version]['item']>;`,
      ]
    : calls;
}

function literals(values: readonly string[]): string {
  return values.map(quoted).join(' | ');
}

/** Returns the doc comment of a tool's generated method: its purpose, scopes, effects, errors and an example. */
function methodDoc({ description }: ToolModule, connector: Connector): string {
  const { tool, method, current } = description;
  const advice = connector.errors.filter((rule) => rule.advice !== undefined && rule.status >= 300);
  const statuses = [...new Set(advice.map(({ status }) => status))].sort();
  return [
    `${tool.title}.`,
    '',
    tool.description,
    '',
    [hintText(tool), scopeText(tool)].filter((text) => text !== '').join(' '),
    ...(current.version.status === 'deprecated' ? ['@deprecated'] : []),
    '@throws InvalidInputError if the input is not valid; AccountNotAuthorizedError if the user has not given consent.',
    `@throws UpstreamError if the upstream refuses the call${statuses.length === 0 ? '' : `; \`advice\` of the error says what to do for the statuses ${statuses.join(', ')}`}.`,
    ...exampleOf(tool, `${connector.id}.${method}`),
  ].join('\n');
}

function hintText({ hints }: Tool): string {
  const kind = hints.readOnly
    ? 'The tool changes nothing.'
    : hints.destructive
      ? 'The tool deletes or overwrites data.'
      : 'The tool changes data.';
  const again = hints.readOnly || !hints.idempotent ? '' : ' A repeated call leaves the same state.';
  return `${kind}${again}${hints.longRunning ? ' A call may take minutes.' : ''}`;
}

const scopeText = ({ scopes }: Tool): string =>
  scopes.length === 0
    ? ''
    : `The tool requires ${scopes.length === 1 ? 'the scope' : 'one of the scopes'} ${scopes.join(', ')}.`;

function exampleOf({ examples: [first] }: Tool, method: string): readonly string[] {
  if (first === undefined) return [];
  const isEmpty = Object.keys(first.input).length === 0;
  return ['@example', `await ${method}(${isEmpty ? '' : typescriptLiteral(first.input)});`];
}
