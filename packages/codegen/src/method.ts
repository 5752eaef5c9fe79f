import type { Connector, Tool } from '@svc/catalog';
import { expandGroups } from './expand-groups.js';
import { docComment, quoted } from './source-text.js';
import { type ContractTypes, currentTypes, type ToolModule } from './tool-module.js';
import { typescriptLiteral } from './typescript-literal.js';

/** The method of a tool, as it stands in the connector's interface. Its text stands with the call, where editors look for it. */
export function methodSignature(module: ToolModule, connector: Connector): string {
  const { method } = module.description;
  const text = methodDoc(module, connector);
  const [doc, callDoc] = [docComment(text, '  '), docComment(text, '    ')];
  return module.contracts.length > 1
    ? [doc, `  ${method}: {`, callDoc, ...versionedCalls(module), '  };'].join('\n')
    : `${doc}\n  ${singleMethod(method, currentTypes(module))}`;
}

function singleMethod(method: string, { contract, input, output, item }: ContractTypes): string {
  const isOptional = expandGroups(contract.input).some(({ required }) => required.size === 0);
  const versions = `${quoted(contract.schemaVersion)}, ${literals(contract.toolVersions)}`;
  if (item !== undefined)
    return `${method}: PagedTool<${input}${isOptional ? ' | void' : ''}, ${output}, ${item}, ${versions}>;`;
  // A bare `new` would be a constructor.
  const name = method === 'new' ? quoted(method) : method;
  const parameters = `input${isOptional ? '?' : ''}: ${input}, options?: ToolOptions<${versions}> & DryRunOption<IsDry>`;
  return `${name}<IsDry extends boolean = false>(${parameters}): Promise<Ran<${output}, IsDry>>;`;
}

/** Several contracts make schema_version a type parameter, because overloads give unreadable errors. */
function versionedCalls(module: ToolModule): readonly string[] {
  const { typeName, tool, contracts, current } = module.description;
  const versions = `${typeName}Versions`;
  const toolVersions = literals([...new Set(contracts.flatMap((contract) => contract.toolVersions))]);
  const named = tool.versionInputs ? ' & { schema_version?: Version }' : '';
  const parameter = `Version extends keyof ${versions} = ${quoted(current.schemaVersion)}`;
  const input = `input: ${versions}[Version]['input']${named}`;
  const options = `options?: ToolOptions<Version, ${toolVersions}>`;
  const call = `    <${parameter}, IsDry extends boolean = false>(${input}, ${options} & DryRunOption<IsDry>): Promise<Ran<${versions}[Version]['output'], IsDry>>;`;
  const isPaged = module.contracts.every(({ item }) => item !== undefined);
  return isPaged
    ? [call, `    each<${parameter}>(${input}, ${options}): AsyncIterable<${versions}[Version]['item']>;`]
    : [call];
}

function literals(values: readonly string[]): string {
  return values.map(quoted).join(' | ');
}

/** Writes the doc comment of a method: its purpose, its scopes and effects, its errors, and an example. */
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
    '@throws InvalidInputError before anything is sent; AccountNotAuthorizedError until the user approves.',
    `@throws UpstreamError when ${connector.title} refuses${statuses.length === 0 ? '' : `; its advice says what to do about ${statuses.join(', ')}`}.`,
    ...exampleOf(tool, `${connector.id}.${method}`),
  ].join('\n');
}

function hintText({ hints }: Tool): string {
  const kind = hints.readOnly
    ? 'Changes nothing.'
    : hints.destructive
      ? 'Deletes or overwrites.'
      : 'Changes something.';
  const again = hints.readOnly || !hints.idempotent ? '' : ' Repeating it leaves the same state.';
  return `${kind}${again}${hints.longRunning ? ' May take minutes.' : ''}`;
}

const scopeText = ({ scopes }: Tool): string =>
  scopes.length === 0
    ? ''
    : `Needs ${scopes.length === 1 ? 'the scope' : 'one of the scopes'} ${scopes.join(', ')}.`;

function exampleOf({ examples: [first] }: Tool, method: string): readonly string[] {
  if (first === undefined) return [];
  const isEmpty = Object.keys(first.input).length === 0;
  return ['@example', `await ${method}(${isEmpty ? '' : typescriptLiteral(first.input)});`];
}
