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
  /** Whether a shared shape may be null: its type is not, and what refers to it says so. */
  readonly isNullable?: (shape: string) => boolean;
  /** Fields with a default are always there: true for what a handler gets, after validation. */
  readonly areDefaultsFilled?: boolean;
}

/** Turns a self-contained schema of the catalogue into one that json-schema-to-typescript makes the right type of. */
export function toTypeSchema(schema: JsonSchema, context: TypeContext, name?: string): TypeSchema {
  const description = docText(schema);
  const told = description === undefined ? {} : { description };
  if (schema.$ref !== undefined) return asType(referredType(schema.$ref, context), description);
  if (schema.enum !== undefined) return asType(enumType(schema.enum, context), description);
  if (schema.const !== undefined) return asType(JSON.stringify(schema.const), description);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return { ...told, anyOf: union.map((branch) => toTypeSchema(branch, context)) };
  if (schema.properties !== undefined) return { ...told, ...objectType(schema, context, name) };
  if (schema.allOf !== undefined)
    return { ...told, allOf: schema.allOf.map((part) => toTypeSchema(part, context)) };
  return { ...told, ...plainType(schema, context) };
}

function referredType(reference: string, { shapeName, isNullable }: TypeContext): string {
  const shape = reference.replace('#/$defs/', '');
  return isNullable?.(shape) ? `(${shapeName(shape)} | null)` : shapeName(shape);
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
  if (type === undefined) return asType('unknown');
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
  if (Object.keys(schema.properties ?? {}).length === 0) return mapType(schema, context);
  const type = unionType(schema, context, name);
  if (![schema.type].flat().includes('null')) return type;
  return { anyOf: [...(type.anyOf ?? [type]), { type: 'null' as const }] };
}

function unionType(schema: JsonSchema, context: TypeContext, name: string | undefined): TypeSchema {
  const variants = context.direction === 'output' ? variantsOf(schema, context) : undefined;
  if (variants !== undefined) {
    const [property, fields] = namedFields(schema);
    const isCommon = (field: string) => field !== property && !fields.includes(field);
    return besideCommon(variants, { schema, context, name, isCommon });
  }
  const branches = expandGroups(schema);
  const [only, ...more] = branches;
  if (only !== undefined && more.length === 0) return branchType(schema, only, context);
  const ruled = ruledFields(schema, branches);
  const types = branches.map((branch) => ({
    ...branchType(schema, branch, context, (field) => ruled.has(field)),
    ...(name === undefined ? {} : { title: name + branch.label }),
  }));
  return besideCommon(types, { schema, context, name, isCommon: (field) => !ruled.has(field) });
}

/** Fields that are not the same in every branch. */
function ruledFields(schema: JsonSchema, branches: readonly Branch[]): ReadonlySet<string> {
  const stateIn = (branch: Branch, field: string) =>
    `${branch.required.has(field)} ${branch.never.has(field)}`;
  const names = Object.keys(schema.properties ?? {});
  const varying = names.filter((field) => new Set(branches.map((branch) => stateIn(branch, field))).size > 1);
  return new Set([...varying, ...flagsOf(schema)]);
}

interface Beside {
  readonly schema: JsonSchema;
  readonly context: TypeContext;
  readonly name: string | undefined;
  readonly isCommon: (field: string) => boolean;
}

/** A union with the fields that all of its branches have written once. */
function besideCommon(
  branches: readonly TypeSchema[],
  { schema, context, name, isCommon }: Beside,
): TypeSchema {
  const union = { anyOf: [...branches] };
  if (!Object.keys(schema.properties ?? {}).some(isCommon)) return union;
  const whole: Branch = { required: new Set(schema.required), never: new Set(), label: '' };
  const common = branchType(schema, whole, context, isCommon);
  return { allOf: [{ ...common, ...(name === undefined ? {} : { title: `${name}Common` }) }, union] };
}

const namedFields = ({ namedBy = {} }: JsonSchema) => Object.entries(namedBy)[0] ?? ['', []];

/** The forms of an object in which one field names the one that is there; undefined for others. */
function variantsOf(schema: JsonSchema, context: TypeContext): readonly TypeSchema[] | undefined {
  const [property, fields] = namedFields(schema);
  const discriminator = schema.properties?.[property];
  if (discriminator === undefined) return undefined;
  const variant = (types: Record<string, TypeSchema>, required: string[]): TypeSchema => ({
    type: 'object',
    properties: types,
    required,
    additionalProperties: false,
  });
  const named = fields.map((field) =>
    variant(
      {
        [property]: asType(JSON.stringify(field)),
        [field]: toTypeSchema(schema.properties?.[field] ?? {}, context),
      },
      [property, field],
    ),
  );
  const others = (discriminator.enum ?? []).filter((value) => !fields.some((field) => field === value));
  const rest = others.length === 0 ? 'undefined' : others.map((value) => JSON.stringify(value)).join(' | ');
  return [...named, variant({ [property]: asType(rest) }, [])];
}

/** Branch, or the part of it that is in `isIn`. */
function branchType(
  schema: JsonSchema,
  { required, never }: Branch,
  context: TypeContext,
  isIn: (field: string) => boolean = () => true,
): TypeSchema {
  const [discriminator] = context.direction === 'output' ? namedFields(schema) : [''];
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => isIn(name) && name !== discriminator,
  );
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
