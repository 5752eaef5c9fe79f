import { expandGroups } from './expand-groups.js';
import { quoted } from './source-text.js';
import { type ContractTypes, currentTypes, type ToolModule } from './tool-module.js';

/** The method of a tool, as it stands in the connector's interface. */
export function methodSignature(module: ToolModule): string {
  const { method } = module.description;
  return module.contracts.length === 1
    ? `  ${method}: ${toolType(currentTypes(module))};`
    : `  ${method}: {\n${versionedCalls(module).join('\n')}\n  };`;
}

function toolType({ contract, input, output, item }: ContractTypes): string {
  const isOptional = expandGroups(contract.input).some(({ required }) => required.size === 0);
  const types = [isOptional ? `${input} | void` : input, output, ...(item === undefined ? [] : [item])];
  const versions = [quoted(contract.schemaVersion), literals(contract.toolVersions)];
  return `${item === undefined ? 'Tool' : 'PagedTool'}<${[...types, ...versions].join(', ')}>`;
}

/** With several contracts, types follow schema_version: a type parameter, because overloads give unreadable errors. */
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
