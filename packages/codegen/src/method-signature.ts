import { expandGroups } from './expand-groups.js';
import { docComment, quoted } from './source-text.js';
import { type ContractTypes, currentTypes, type ToolModule } from './tool-module.js';

/** The method of a tool, as it stands in the connector's interface. Its text stands with the call, where editors look for it. */
export function methodSignature(module: ToolModule, doc: string): string {
  const { method } = module.description;
  if (module.contracts.length > 1) {
    const [call = '', ...more] = versionedCalls(module);
    return [docComment(doc, '  '), `  ${method}: {`, docComment(doc, '    '), call, ...more, '  };'].join(
      '\n',
    );
  }
  const types = currentTypes(module);
  if (types.item !== undefined)
    return `${docComment(doc, '  ')}\n  ${method}: ${pagedTool(types, types.item)};`;
  const { input, output, contract } = types;
  const options = `ToolOptions<${quoted(contract.schemaVersion)}, ${literals(contract.toolVersions)}>`;
  // A bare `new` would be a constructor.
  const name = method === 'new' ? quoted(method) : method;
  return `${docComment(doc, '  ')}\n  ${name}<IsDry extends boolean = false>(input: ${inputType(types)}, options?: ${options} & DryRunOption<IsDry>): Promise<Ran<${output}, IsDry>>;`.replace(
    `(input: ${input} | void`,
    `(input?: ${input}`,
  );
}

function inputType({ contract, input }: ContractTypes): string {
  const isOptional = expandGroups(contract.input).some(({ required }) => required.size === 0);
  return isOptional ? `${input} | void` : input;
}

function pagedTool(types: ContractTypes, item: string): string {
  const { contract, output } = types;
  const versions = [quoted(contract.schemaVersion), literals(contract.toolVersions)];
  return `PagedTool<${[inputType(types), output, item, ...versions].join(', ')}>`;
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
