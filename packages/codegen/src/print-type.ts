import { flagsOf, isJsonObject, type JsonSchema } from '@svc/catalog';
import { docText } from './doc-text.js';
import { type Branch, expandGroups } from './expand-groups.js';
import {
  NULL,
  printDeclarations,
  type TypeTree,
  textType,
  UNDEFINED,
  UNKNOWN,
  unionOf,
} from './type-tree.js';
import { typescriptLiteral } from './typescript-literal.js';

/** Direction of a generated type: the caller sends an `input`, and receives an `output`. */
export type Direction = 'input' | 'output';

/** Options for the conversion of schemas to TypeScript types. */
export interface TypeContext {
  /**
   * Direction of the values. Input types are as strict as the service. Output types allow values that an upstream may
   * add later, but no unknown property names.
   */
  readonly direction: Direction;
  /** Returns the TypeScript type name of a shared schema. */
  readonly shapeName: (shape: string) => string;
  /**
   * Checks whether a shared schema allows null. Its generated type excludes null, and references to the type add null.
   */
  readonly isNullable?: (shape: string) => boolean;
  /** True if fields with a default are always present, as in the input of a service handler after validation. */
  readonly areDefaultsFilled?: boolean;
}

/** Returns the exported TypeScript declarations of a schema. The first one has the name `name`. */
export function printType(schema: JsonSchema, name: string, context: TypeContext): string {
  return printDeclarations({ ...toType(schema, context, name), name });
}

function toType(schema: JsonSchema, context: TypeContext, name?: string): TypeTree {
  const type = bareType(schema, context, name);
  return { ...type, comment: docText(schema) ?? type.comment };
}

function bareType(schema: JsonSchema, context: TypeContext, name?: string): TypeTree {
  if (schema.$ref !== undefined) return referredType(schema.$ref, context);
  if (schema.enum !== undefined) return enumType(schema.enum, context.direction);
  if (schema.const !== undefined) return literalType(schema.const);
  const parts = partsOf(schema, context, name);
  const [only] = parts;
  if (only === undefined) return plainType(schema, context);
  return parts.length === 1 ? only : { kind: 'intersection', members: parts };
}

const literalType = (value: unknown): TypeTree =>
  textType(typescriptLiteral(value, { width: Number.POSITIVE_INFINITY }));

/**
 * Returns the TypeScript type of an enum. Output types allow any other string too, because an upstream may add values.
 */
function enumType(values: readonly unknown[], direction: Direction): TypeTree {
  const isOpen = direction === 'output' && values.some((value) => typeof value === 'string');
  return unionOf([...values.map(literalType), ...(isOpen ? [textType('(string & {})')] : [])]);
}

/**
 * Returns the TypeScript types that a schema combines: an object type, a union of `anyOf` or `oneOf`, and the types in
 * `allOf`.
 */
function partsOf(schema: JsonSchema, context: TypeContext, name?: string): readonly TypeTree[] {
  const { properties, allOf: all = [] } = schema;
  const union = schema.anyOf ?? schema.oneOf ?? [];
  const hasFields = properties !== undefined && Object.keys(properties).length > 0;
  const isTypedUnion = union.length > 0 && (!hasFields || union.every(definesType));
  return [
    ...(properties !== undefined && (hasFields || (!isTypedUnion && all.length === 0))
      ? [objectType(schema, context, name)]
      : []),
    ...(isTypedUnion ? [unionOf(union.map((branch) => toType(branch, context)))] : []),
    ...all.filter((part) => all.length === 1 || definesType(part)).map((part) => toType(part, context)),
  ];
}

/** Checks whether a part of a schema describes a TypeScript type, and not only conditions such as `required`. */
const definesType = (schema: JsonSchema): boolean =>
  ['$ref', 'type', 'enum', 'const', 'properties', 'anyOf', 'oneOf', 'allOf'].some(
    (keyword) => schema[keyword] !== undefined,
  );

function referredType(reference: string, { shapeName, isNullable }: TypeContext): TypeTree {
  const shape = reference.replace('#/$defs/', '');
  const type = textType(shapeName(shape));
  return isNullable?.(shape) ? unionOf([type, NULL]) : type;
}

const SCALARS: ReadonlyMap<string, TypeTree> = new Map([
  ['string', textType('string')],
  ['number', textType('number')],
  ['integer', textType('number')],
  ['boolean', textType('boolean')],
  ['null', NULL],
]);

function plainType(schema: JsonSchema, context: TypeContext): TypeTree {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const [type] = types;
  if (type === undefined) return UNKNOWN;
  if (types.length > 1) return unionOf(types.map((each) => plainType({ ...schema, type: each }, context)));
  if (type === 'array')
    return { kind: 'list', item: isJsonObject(schema.items) ? toType(schema.items, context) : UNKNOWN };
  return type === 'object' ? mapType(schema, context) : (SCALARS.get(type) ?? UNKNOWN);
}

/** Returns the TypeScript type of an object without named properties: free-form, a map, or always empty. */
function mapType(schema: JsonSchema, context: TypeContext): TypeTree {
  const others = othersType(schema, context);
  return others === undefined ? textType('Record<string, never>') : { kind: 'object', fields: [], others };
}

/**
 * Returns the TypeScript type of properties that the schema does not name. Undefined if the schema allows no other
 * properties.
 */
function othersType(schema: JsonSchema, context: TypeContext): TypeTree | undefined {
  const { additionalProperties, patternProperties = {} } = schema;
  const patterns = Object.values(patternProperties).map((field) => toType(field, context));
  if (additionalProperties === false) return patterns.length > 0 ? unionOf(patterns) : undefined;
  if (!isJsonObject(additionalProperties)) return UNKNOWN;
  const others = toType(additionalProperties, context);
  return patterns.length > 0 ? unionOf([...patterns, others]) : others;
}

function objectType(schema: JsonSchema, context: TypeContext, name: string | undefined): TypeTree {
  if (Object.keys(schema.properties ?? {}).length === 0) return mapType(schema, context);
  const type = unionType(schema, context, name);
  if (![schema.type].flat().includes('null')) return type;
  return unionOf([...(type.kind === 'union' ? type.members : [type]), NULL]);
}

function unionType(schema: JsonSchema, context: TypeContext, name: string | undefined): TypeTree {
  const variants = context.direction === 'output' ? variantsOf(schema, context) : undefined;
  if (variants !== undefined) {
    const [property, fields] = namedFields(schema);
    const isCommon = (field: string) => field !== property && !fields.includes(field);
    return withCommonFields(variants, { schema, context, name, isCommon });
  }
  const branches = expandGroups(schema);
  const [only, ...more] = branches;
  if (only !== undefined && more.length === 0) return branchType(schema, only, context);
  const ruled = ruledFields(schema, branches);
  const names = name && distinctNames(branches.map(({ label }) => name + label));
  const types = branches.map((branch, index) => ({
    ...branchType(schema, branch, context, (field) => ruled.has(field)),
    name: names?.[index],
  }));
  return withCommonFields(types, { schema, context, name, isCommon: (field) => !ruled.has(field) });
}

/** Makes names unique by appending a number to repeated ones. */
function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  for (const name of names) {
    let free = name;
    for (let count = 1; taken.has(free); count += 1) free = `${name}${count}`;
    taken.add(free);
  }
  return [...taken];
}

/**
 * Returns the properties that differ between the variants of a union type: required in some, forbidden or optional in
 * others.
 */
function ruledFields(schema: JsonSchema, branches: readonly Branch[]): ReadonlySet<string> {
  const stateIn = (branch: Branch, field: string) =>
    `${branch.required.has(field)} ${branch.never.has(field)}`;
  const names = Object.keys(schema.properties ?? {});
  const varying = names.filter((field) => new Set(branches.map((branch) => stateIn(branch, field))).size > 1);
  return new Set([...varying, ...flagsOf(schema)]);
}

interface UnionContext {
  readonly schema: JsonSchema;
  readonly context: TypeContext;
  readonly name: string | undefined;
  readonly isCommon: (field: string) => boolean;
}

/** Combines the variants of an object in a union type. The properties that all variants share are written once. */
function withCommonFields(
  branches: readonly TypeTree[],
  { schema, context, name, isCommon }: UnionContext,
): TypeTree {
  const union = unionOf(branches);
  if (!Object.keys(schema.properties ?? {}).some(isCommon)) return union;
  const whole: Branch = { required: new Set(schema.required), never: new Set(), label: '' };
  const common = branchType(schema, whole, context, isCommon);
  return { kind: 'intersection', members: [{ ...common, name: name && `${name}Common` }, union] };
}

const namedFields = ({ namedBy = {} }: JsonSchema) => Object.entries(namedBy)[0] ?? ['', []];

/**
 * Returns a type variant for each property that a `namedBy` discriminator can name. The value of a discriminator is the
 * name of another property. Undefined for objects without `namedBy`.
 */
function variantsOf(schema: JsonSchema, context: TypeContext): readonly TypeTree[] | undefined {
  const [property, fields] = namedFields(schema);
  const discriminator = schema.properties?.[property];
  if (discriminator === undefined) return undefined;
  const variants = fields.map((field): TypeTree => {
    const naming = { name: property, type: literalType(field), isRequired: true };
    const target = { name: field, type: toType(schema.properties?.[field] ?? {}, context), isRequired: true };
    return { kind: 'object', fields: [naming, target] };
  });
  const others = (discriminator.enum ?? []).filter((value) => !fields.some((field) => field === value));
  const rest = others.length === 0 ? UNDEFINED : unionOf(others.map(literalType));
  return [...variants, { kind: 'object', fields: [{ name: property, type: rest, isRequired: false }] }];
}

/** Returns the TypeScript type of an object variant, limited to the properties that `isIn` accepts. */
function branchType(
  schema: JsonSchema,
  { required, never }: Branch,
  context: TypeContext,
  isIn: (field: string) => boolean = () => true,
): TypeTree {
  const [discriminator] = context.direction === 'output' ? namedFields(schema) : [''];
  const flags = flagsOf(schema);
  // Optional fields of input types accept `undefined`, because the client does not send it. Callers with
  // `exactOptionalPropertyTypes` may then pass it.
  const isSent = context.direction === 'input' && context.areDefaultsFilled !== true;
  const typeOf = (name: string, property: JsonSchema): TypeTree => {
    if (never.has(name)) return flags.has(name) ? textType('false') : isSent ? UNDEFINED : textType('never');
    return flags.has(name) ? { ...textType('true'), comment: docText(property) } : toType(property, context);
  };
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => isIn(name) && name !== discriminator)
    .map(([name, property]) => {
      const isFilled = context.areDefaultsFilled === true && property.default !== undefined;
      const isRequired = required.has(name) || (isFilled && !never.has(name));
      return { name, type: typeOf(name, property), isRequired, takesUndefined: isSent && !isRequired };
    });
  // Output types get no index signature, because an index signature would let a misspelt property name compile.
  if (context.direction === 'output') return { kind: 'object', fields };
  const { additionalProperties = false } = schema;
  return { kind: 'object', fields, others: othersType({ ...schema, additionalProperties }, context) };
}
