import type { Connector, Tool } from '@svc/catalog';
import type { Contract } from './describe-tool.js';
import { expandGroups } from './expand-groups.js';
import { docComment, quoted } from './source-text.js';
import { type ContractTypes, currentTypes, type ToolModule } from './tool-module.js';
import { typescriptLiteral } from './typescript-literal.js';

const DRY_RUN = 'Resolves to the requests that the call would send, and changes nothing.';

/**
 * Returns the method of a tool in the connector's generated interface. Each overload has a doc comment, because editors
 * show only the comment of the overload that a call uses.
 */
export function methodSignature(module: ToolModule, connector: Connector): string {
  const { method } = module.description;
  const text = methodDoc(module, connector);
  const doc = docComment(text, '  ');
  return module.contracts.length > 1
    ? [doc, `  ${method}: {`, ...versionedCalls(module, docComment(text, '    ')), '  };'].join('\n')
    : singleMethod(method, currentTypes(module), text).join('\n');
}

/** Returns true if the tool can be called without an input, because no input field is required. */
const isInputOptional = ({ input }: Contract): boolean =>
  expandGroups(input).some(({ required }) => required.size === 0);

function singleMethod(
  method: string,
  { contract, input, output, item }: ContractTypes,
  text: string,
): readonly string[] {
  const isOptional = isInputOptional(contract);
  const versions = `${quoted(contract.schemaVersion)}, ${literals(contract.toolVersions)}`;
  if (item !== undefined) {
    const given = `${input}${isOptional ? ' | void' : ''}`;
    // Declares the signatures of `PagedTool` with comments, because editors show no comment of a property for a call of
    // a type with several signatures.
    return [
      docComment(text, '  '),
      `  ${method}: {`,
      docComment(DRY_RUN, '    '),
      `    (input: ${given}, options: DryRunOptions<${versions}>): Promise<DryRunResult>;`,
      docComment(text, '    '),
      `    (input: ${given}, options?: ToolOptions<${versions}>): Promise<ToolResult<${output}>>;`,
      `  } & PagedTool<${given}, ${output}, ${item}, ${versions}>;`,
    ];
  }
  // Quotes the method name `new`, because an unquoted `new` in an interface declares a constructor.
  const name = method === 'new' ? quoted(method) : method;
  return [
    docComment(DRY_RUN, '  '),
    `  ${name}(input: ${input}${isOptional ? ' | undefined' : ''}, options: DryRunOptions<${versions}>): Promise<DryRunResult>;`,
    docComment(text, '  '),
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
  const currentVersion = quoted(current.schemaVersion);
  const parameter = `Version extends keyof ${versions} = ${currentVersion}`;
  const input = `${versions}[Version]['input']${versionInput}`;
  const options = `Options<Version, ${toolVersions}>`;
  const isOptional = contracts.every(isInputOptional);
  const optional = isOptional ? '?' : '';
  return [
    docComment(DRY_RUN, '    '),
    `    <${parameter}>(input: ${input}${isOptional ? ' | undefined' : ''}, options: DryRun${options}): Promise<DryRunResult>;`,
    doc,
    `    <${parameter}>(input${optional}: ${input}, options?: Tool${options}): Promise<ToolResult<${versions}[Version]['output']>>;`,
    doc,
    `    (input${isInputOptional(current) ? '?' : ''}: ${last.input}, options?: ToolOptions<${currentVersion}, ${toolVersions}>): Promise<ToolResult<${last.output}>>;`,
    ...pageIterators(module, { versions, input: `input${optional}: ${input}`, options: `Tool${options}` }),
  ];
}

/**
 * Returns the iterators of a paged tool with several schema versions. They accept only the versions whose items have
 * the path of the current version, because the client has one path for each tool.
 */
function pageIterators(
  module: ToolModule,
  { versions, input, options }: Readonly<Record<'versions' | 'input' | 'options', string>>,
): readonly string[] {
  const pathOf = ({ contract: { version } }: ContractTypes) =>
    version.paging?.input === undefined ? undefined : version.paging.items;
  const last = currentTypes(module);
  const path = pathOf(last);
  if (path === undefined) return [];
  const iterated = module.contracts.filter((types) => pathOf(types) === path);
  const names = literals(iterated.map(({ contract }) => contract.schemaVersion));
  const parameter = `Version extends ${names} = ${quoted(last.contract.schemaVersion)}`;
  return [
    docComment('Iterates over the items of all pages, or over the first `limit` items.', '    '),
    `    each<${parameter}>(${input}, options?: ${options} & Limit): AsyncIterable<${versions}[Version]['item']>;`,
    docComment("Iterates over the pages of the tool's result.", '    '),
    `    pages<${parameter}>(${input}, options?: ${options}): AsyncIterable<ToolResult<${versions}[Version]['output']>>;`,
  ];
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
