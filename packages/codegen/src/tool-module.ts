import { type JsonSchema, propertiesOf } from '@svc/catalog';
import type { Contract, ToolDescription } from './describe-tool.js';
import { type Direction, printType, type TypeContext } from './print-type.js';
import { importTypes, quoted, sourceText } from './source-text.js';

/** Names of the generated types of one contract (schema version) of a tool, for use in other generated modules. */
export interface ContractTypes {
  readonly contract: Contract;
  readonly input: string;
  readonly output: string;
  /** Name of the type of a page's items. Undefined if the tool has no paging. */
  readonly item: string | undefined;
}

/** Generated TypeScript module of one tool, with the names that other generated modules need. */
export interface ToolModule {
  readonly description: ToolDescription;
  readonly source: string;
  readonly contracts: readonly ContractTypes[];
}

type ContextOf = (direction: Direction) => TypeContext;

/** Generates the TypeScript module with the types of a tool. */
export function toolModule(description: ToolDescription, contextOf: ContextOf): ToolModule {
  const imported = new Set<string>();
  const importing: ContextOf = (direction) => {
    const context = contextOf(direction);
    const shapeName = (shape: string) => {
      const name = context.shapeName(shape);
      imported.add(name);
      return name;
    };
    return { ...context, shapeName };
  };
  const isSingle = description.contracts.length === 1;
  const printed = description.contracts.flatMap((contract) => printContract(contract, importing));
  const contracts = description.contracts.map((contract) =>
    contractTypes(contract, isSingle ? contextOf : importing),
  );
  const versions = isSingle ? '' : versionsInterface(description, contracts);
  return {
    description,
    source: sourceText(importTypes(imported, '../shapes.js'), ...printed, versions),
    contracts,
  };
}

/** Returns the type names of the contract that a call uses when the caller names no version. */
export function currentTypes({ description, contracts }: ToolModule): ContractTypes {
  const types = contracts.find(({ contract }) => contract === description.current);
  if (types === undefined)
    throw new Error(
      `The tool ${description.tool.name} has no version with the status "current". Give this status to exactly one version.`,
    );
  return types;
}

function printContract(contract: Contract, contextOf: ContextOf): readonly string[] {
  const input = printType(contract.input, contract.inputName, contextOf('input'));
  const output = outputSchema(contract);
  if (output.$ref !== undefined) return [input];
  return [input, printType(output, contract.outputName, contextOf('output'))];
}

function contractTypes(contract: Contract, contextOf: ContextOf): ContractTypes {
  const { shapeName } = contextOf('output');
  const { $ref } = outputSchema(contract);
  // An output schema that is only a reference uses the type of the shared schema, so no output type is declared.
  const output = $ref === undefined ? contract.outputName : shapeName(shapeOf($ref));
  return { contract, input: contract.inputName, output, item: itemType(contract, output, shapeName) };
}

function outputSchema({ output }: Contract): JsonSchema {
  return typeof output === 'boolean' ? {} : output;
}

function shapeOf(reference: string): string {
  return reference.replace('#/$defs/', '');
}

function itemType(
  contract: Contract,
  output: string,
  shapeName: TypeContext['shapeName'],
): string | undefined {
  const { paging } = contract.version;
  if (paging?.input === undefined) return undefined;
  const schema = outputSchema(contract);
  const defs = schema.$defs ?? {};
  const steps = paging.items.split('/');
  const { items } = steps.reduce((part, step) => propertiesOf(part, defs)[step] ?? {}, schema);
  const reference = typeof items === 'object' ? items.$ref : undefined;
  if (reference !== undefined) return shapeName(shapeOf(reference));
  return `${steps.reduce((type, step) => `NonNullable<${type}[${quoted(step)}]>`, output)}[number]`;
}

function versionsInterface({ typeName, tool }: ToolDescription, contracts: readonly ContractTypes[]): string {
  const lines = contracts.map(({ contract, input, output, item }) => {
    const page = item === undefined ? '' : ` item: ${item};`;
    return `  ${quoted(contract.schemaVersion)}: { input: ${input}; output: ${output};${page} };`;
  });
  return [
    `/** The types of ${tool.name} by schema version. */`,
    `export interface ${typeName}Versions {`,
    ...lines,
    '}',
  ].join('\n');
}
