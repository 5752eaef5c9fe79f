import { isJsonObject, type JsonSchema, keyGroupsOf } from '@svc/catalog';
import { docText } from './doc-text.js';
import { type Branch, expandGroups } from './expand-groups.js';
import type { Direction } from './plan-shapes.js';
import { asType, type TypeSchema } from './type-schema.js';

/** How schemas become types. */
export interface TypeContext {
  /** Inputs are as strict as the service; outputs stay open for what the upstream adds, in values but not in names. */
  readonly direction: Direction;
  /** The type that a shared shape has. */
  readonly shapeName: (shape: string) => string;
  /** Fields with a default are always there: true for what a handler gets, after validation. */
  readonly areDefaultsFilled?: boolean;
}

/** Turns a self-contained schema of the catalogue into one that json-schema-to-typescript makes the right type of. */
export function toTypeSchema(schema: JsonSchema, context: TypeContext, name?: string): TypeSchema {
  const description = docText(schema);
  const told = description === undefined ? {} : { description };
  if (schema.$ref !== undefined)
    return asType(context.shapeName(schema.$ref.replace('#/$defs/', '')), description);
  if (schema.enum !== undefined) return asType(enumType(schema.enum, context), description);
  if (schema.const !== undefined) return asType(JSON.stringify(schema.const), description);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return { ...told, anyOf: union.map((branch) => toTypeSchema(branch, context)) };
  if (schema.properties !== undefined) return { ...told, ...objectType(schema, context, name) };
  if (schema.allOf !== undefined)
    return { ...told, allOf: schema.allOf.map((part) => toTypeSchema(part, context)) };
  return { ...told, ...plainType(schema, context) };
}

/** New values of an upstream's enum are no error, so in outputs any other string passes too. */
function enumType(values: readonly unknown[], { direction }: TypeContext): string {
  const isOpen = direction === 'output' && values.some((value) => typeof value === 'string');
  const literals = values.map((value) => JSON.stringify(value));
  return `(${[...literals, ...(isOpen ? ['(string & {})'] : [])].join(' | ')})`;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function plainType(schema: JsonSchema, context: TypeContext): TypeSchema {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const [type] = types;
  if (type === undefined) return {};
  if (types.length > 1) return { anyOf: types.map((each) => plainType({ ...schema, type: each }, context)) };
  if (type === 'array') return { type: 'array', ...itemsOf(schema, context) };
  return type === 'object' ? mapType(schema, context) : asType(SCALARS[type] ?? 'unknown');
}

function itemsOf({ items }: JsonSchema, context: TypeContext): TypeSchema {
  return isSchema(items) ? { items: toTypeSchema(items, context) } : {};
}

/** An object without named fields: free-form, a map, or always empty. */
function mapType({ additionalProperties }: JsonSchema, context: TypeContext): TypeSchema {
  if (additionalProperties === false) return asType('Record<string, never>');
  const values = isSchema(additionalProperties) ? toTypeSchema(additionalProperties, context) : true;
  return { type: 'object', additionalProperties: values };
}

function objectType(schema: JsonSchema, context: TypeContext, name: string | undefined): TypeSchema {
  const { properties = {}, type } = schema;
  if (Object.keys(properties).length === 0) return mapType(schema, context);
  const branches = expandGroups(schema).map((branch) => ({
    ...branchType(schema, branch, context),
    ...(name === undefined || branch.label === '' ? {} : { title: name + branch.label }),
  }));
  const forms = [type].flat().includes('null') ? [...branches, { type: 'null' as const }] : branches;
  return forms.length === 1 ? { ...forms[0] } : { anyOf: forms };
}

function branchType(schema: JsonSchema, { required, never }: Branch, context: TypeContext): TypeSchema {
  const entries = Object.entries(schema.properties ?? {});
  const flags = flagsOf(schema);
  const isThere = ([name, property]: (typeof entries)[number]) =>
    required.has(name) ||
    (context.areDefaultsFilled === true && property.default !== undefined && !never.has(name));
  const typeOf = ([name, property]: (typeof entries)[number]) => {
    if (never.has(name)) return asType(flags.has(name) ? 'false' : 'never');
    return flags.has(name) ? asType('true', docText(property)) : toTypeSchema(property, context);
  };
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map((entry) => [entry[0], typeOf(entry)])),
    required: entries.filter(isThere).map(([name]) => name),
    additionalProperties: otherProperties(schema, context),
  };
}

/** Booleans of an exactly-one group: true chooses one, and false counts as absent. */
function flagsOf({ exactlyOneOf, properties = {} }: JsonSchema): ReadonlySet<string> {
  const names = keyGroupsOf(exactlyOneOf).flat();
  return new Set(names.filter((name) => properties[name]?.type === 'boolean'));
}

/** An index signature would let a misspelt result field compile, so open outputs have only the fields that are known. */
function otherProperties({ additionalProperties }: JsonSchema, context: TypeContext): TypeSchema | boolean {
  if (context.direction === 'output' || additionalProperties === undefined) return false;
  return isSchema(additionalProperties) ? toTypeSchema(additionalProperties, context) : additionalProperties;
}

function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}
