import { isJsonObject, type JsonSchema, keyGroupsOf } from '@svc/catalog';
import { generateName } from 'json-schema-to-typescript/dist/src/utils.js';
import { docText } from './doc-text.js';
import { type Branch, expandGroups } from './expand-groups.js';
import type { Direction } from './plan-shapes.js';
import {
  allOf,
  asType,
  type Field,
  listOf,
  named,
  objectOf,
  type TypeTree,
  told,
  unionOf,
} from './type-tree.js';

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

/** The type of a self-contained schema of the catalogue. */
export function toType(schema: JsonSchema, context: TypeContext, name?: string): TypeTree {
  return told(bareType(schema, context, name), docText(schema));
}

function bareType(schema: JsonSchema, context: TypeContext, name?: string): TypeTree {
  if (schema.$ref !== undefined) return asType(referredType(schema.$ref, context));
  if (schema.enum !== undefined) return asType(enumType(schema.enum, context));
  if (schema.const !== undefined) return asType(JSON.stringify(schema.const));
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return unionOf(union.map((branch) => toType(branch, context)));
  if (schema.properties !== undefined) return objectType(schema, context, name);
  if (schema.allOf !== undefined) return allOf(schema.allOf.map((part) => toType(part, context)));
  return plainType(schema, context);
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

const UNKNOWN = asType('unknown');

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function plainType(schema: JsonSchema, context: TypeContext): TypeTree {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const [type] = types;
  if (type === undefined) return UNKNOWN;
  if (types.every((each) => each in SCALARS)) return scalarType(types);
  if (types.length > 1) return unionOf(types.map((each) => plainType({ ...schema, type: each }, context)));
  if (type === 'array') return listOf(isSchema(schema.items) ? toType(schema.items, context) : UNKNOWN);
  return type === 'object' ? mapType(schema, context) : UNKNOWN;
}

function scalarType(types: readonly string[]): TypeTree {
  const names = new Set(types.map((type) => SCALARS[type]));
  const text = [...names].join(' | ');
  return asType(names.size === 1 ? text : `(${text})`);
}

/** An object without named fields: free-form, a map, or always empty. */
function mapType({ additionalProperties }: JsonSchema, context: TypeContext): TypeTree {
  if (additionalProperties === false) return asType('Record<string, never>');
  return objectOf([], isSchema(additionalProperties) ? toType(additionalProperties, context) : UNKNOWN);
}

function objectType(schema: JsonSchema, context: TypeContext, name: string | undefined): TypeTree {
  if (Object.keys(schema.properties ?? {}).length === 0) return mapType(schema, context);
  const type = unionType(schema, context, name);
  if (![schema.type].flat().includes('null')) return type;
  return unionOf([...(type.type === 'UNION' ? type.params : [type]), asType('null')]);
}

function unionType(schema: JsonSchema, context: TypeContext, name: string | undefined): TypeTree {
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
  const taken = new Set<string>();
  const types = branches.map((branch) =>
    named(
      branchType(schema, branch, context, (field) => ruled.has(field)),
      name && generateName(name + branch.label, taken),
    ),
  );
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
function besideCommon(branches: readonly TypeTree[], { schema, context, name, isCommon }: Beside): TypeTree {
  const union = unionOf([...branches]);
  if (!Object.keys(schema.properties ?? {}).some(isCommon)) return union;
  const whole: Branch = { required: new Set(schema.required), never: new Set(), label: '' };
  const common = branchType(schema, whole, context, isCommon);
  return allOf([named(common, name && `${name}Common`), union]);
}

const namedFields = ({ namedBy = {} }: JsonSchema) => Object.entries(namedBy)[0] ?? ['', []];

/** The forms of an object in which one field names the one that is there; undefined for others. */
function variantsOf(schema: JsonSchema, context: TypeContext): readonly TypeTree[] | undefined {
  const [property, fields] = namedFields(schema);
  const discriminator = schema.properties?.[property];
  if (discriminator === undefined) return undefined;
  const variants = fields.map((field) =>
    objectOf([
      { name: property, type: asType(JSON.stringify(field)), isRequired: true },
      { name: field, type: toType(schema.properties?.[field] ?? {}, context), isRequired: true },
    ]),
  );
  const others = (discriminator.enum ?? []).filter((value) => !fields.some((field) => field === value));
  const rest = others.length === 0 ? 'undefined' : others.map((value) => JSON.stringify(value)).join(' | ');
  return [...variants, objectOf([{ name: property, type: asType(rest), isRequired: false }])];
}

/** Branch, or the part of it that is in `isIn`. */
function branchType(
  schema: JsonSchema,
  { required, never }: Branch,
  context: TypeContext,
  isIn: (field: string) => boolean = () => true,
): TypeTree {
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
    return flags.has(name) ? told(asType('true'), docText(property)) : toType(property, context);
  };
  const fields = entries.map(
    (entry): Field => ({ name: entry[0], type: typeOf(entry), isRequired: isThere(entry) }),
  );
  return objectOf(fields, otherProperties(schema, context));
}

/** Booleans of an exactly-one group: true chooses one, and false counts as absent. */
function flagsOf({ exactlyOneOf, properties = {} }: JsonSchema): ReadonlySet<string> {
  const names = keyGroupsOf(exactlyOneOf).flat();
  return new Set(names.filter((name) => properties[name]?.type === 'boolean'));
}

/** An index signature would let a misspelt result field compile, so open outputs have only the fields that are known. */
function otherProperties({ additionalProperties }: JsonSchema, context: TypeContext): TypeTree | undefined {
  if (context.direction === 'output' || !additionalProperties) return undefined;
  return isSchema(additionalProperties) ? toType(additionalProperties, context) : UNKNOWN;
}

function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}
