import { type JsonSchema, propertiesOf } from '@svc/catalog';
import type { Contract, ToolDescription } from './describe-tool.js';
import type { Direction, ShapeNames } from './plan-shapes.js';
import { printType } from './print-type.js';
import { importTypes, quoted, sourceText } from './source-text.js';

/** The types of one contract, as other modules name them. */
export interface ContractTypes {
  readonly contract: Contract;
  readonly input: string;
  readonly output: string;
  /** An item of a page; undefined when the tool does not answer in pages. */
  readonly item: string | undefined;
}

/** The module of one tool, and what other modules need to know of it. */
export interface ToolModule {
  readonly description: ToolDescription;
  readonly source: string;
  readonly contracts: readonly ContractTypes[];
}

/** Writes the types of a tool. */
export function toolModule(
  description: ToolDescription,
  { shapes, isNullable }: { readonly shapes: ShapeNames; readonly isNullable: (shape: string) => boolean },
): ToolModule {
  const used = new Set<string>();
  const nameOf: ShapeNames = (direction, shape) => {
    const name = shapes(direction, shape);
    used.add(name);
    return name;
  };
  const printed = description.contracts.map((contract) => printContract(contract, { nameOf, isNullable }));
  const contracts = description.contracts.map((contract) => contractTypes(contract, shapes));
  const isSingle = contracts.length === 1;
  if (!isSingle) for (const contract of description.contracts) contractTypes(contract, nameOf);
  const versions = isSingle ? '' : versionsInterface(description, contracts);
  return {
    description,
    source: sourceText(importTypes(used, '../shapes.js'), ...printed.flat(), versions),
    contracts,
  };
}

/** The types of the contract that runs when the caller names no version. */
export function currentTypes({ description, contracts }: ToolModule): ContractTypes {
  const found = contracts.find(({ contract }) => contract === description.current);
  if (found === undefined) throw new Error(`${description.tool.name} has no current version`);
  return found;
}

function printContract(
  contract: Contract,
  { nameOf, isNullable }: { readonly nameOf: ShapeNames; readonly isNullable: (shape: string) => boolean },
): readonly string[] {
  const context = (direction: Direction) => ({
    direction,
    isNullable,
    shapeName: (shape: string) => nameOf(direction, shape),
  });
  const input = printType(contract.input, contract.inputName, context('input'));
  const output = outputSchema(contract);
  if (output.$ref !== undefined) return [input];
  return [input, printType(output, contract.outputName, context('output'))];
}

function contractTypes(contract: Contract, nameOf: ShapeNames): ContractTypes {
  const { $ref } = outputSchema(contract);
  // An output that is nothing but a shared shape needs no type of its own.
  const output = $ref === undefined ? contract.outputName : nameOf('output', shapeOf($ref));
  return { contract, input: contract.inputName, output, item: itemType(contract, output, nameOf) };
}

function outputSchema({ output }: Contract): JsonSchema {
  return typeof output === 'boolean' ? {} : output;
}

function shapeOf(reference: string): string {
  return reference.replace('#/$defs/', '');
}

function itemType(contract: Contract, output: string, nameOf: ShapeNames): string | undefined {
  const { paging } = contract.version;
  if (paging?.input === undefined) return undefined;
  const schema = outputSchema(contract);
  const defs = schema.$defs ?? {};
  const steps = paging.items.split('/');
  const list = steps.reduce((part, step) => propertiesOf(part, defs)[step] ?? {}, schema);
  const { items } = list;
  const reference = typeof items === 'object' ? items.$ref : undefined;
  if (reference !== undefined) return nameOf('output', shapeOf(reference));
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
