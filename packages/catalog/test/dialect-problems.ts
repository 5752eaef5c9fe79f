import { allSchemas, childSchemas } from '../src/child-schemas.js';
import { findCycles } from '../src/dialects/find-cycles.js';
import { type Dialect, LIMITS, type Limits } from '../src/dialects/limits.js';
import type { JsonSchema } from '../src/json-schema.js';

/** Parts of a tool that a vendor would refuse; empty if it accepts the tool. */
export function dialectProblems(name: string, schema: JsonSchema, dialect: Dialect): readonly string[] {
  const limits = LIMITS[dialect];
  return [
    ...(limits.toolName.test(name) ? [] : ['the name of the tool']),
    ...(schema.type === 'object' && schema.anyOf === undefined ? [] : ['the top is not one object']),
    ...allSchemas(schema).flatMap((each) => schemaProblems(each, limits)),
    ...recursionProblems(schema, limits),
    ...sizeProblems(schema, limits),
  ];
}

function schemaProblems(schema: JsonSchema, limits: Limits): readonly string[] {
  const { properties, required = [], additionalProperties: more, format } = schema;
  const names = Object.keys(properties ?? {});
  const minItems = Number(schema['minItems'] ?? 0);
  return [
    ...Object.keys(schema).filter((keyword) => !limits.keywords.includes(keyword)),
    ...names.filter((name) => !limits.propertyName.test(name)).map((name) => `the name "${name}"`),
    ...(format === undefined || limits.formats.includes(format) ? [] : [`format ${format}`]),
    ...(minItems <= limits.minItems ? [] : [`minItems ${minItems}`]),
    ...(limits.closedObjects && schema.type === 'object' && more !== false ? ['an open object'] : []),
    ...(limits.allRequired
      ? names.filter((name) => !required.includes(name)).map((name) => `optional ${name}`)
      : []),
    ...(schema.$ref !== undefined && Object.keys(schema).length > 1 ? ['keywords next to $ref'] : []),
  ];
}

function recursionProblems({ $defs = {} }: JsonSchema, { recursion }: Limits): readonly string[] {
  const isCycle = findCycles($defs);
  const names = Object.keys($defs);
  const cyclic = names.filter((from) => references($defs[from]).some((to) => isCycle(from, to)));
  return recursion ? [] : cyclic.map((name) => `${name} contains itself`);
}

const references = (schema: JsonSchema = {}): readonly string[] =>
  allSchemas(schema).flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref.replace('#/$defs/', '')]));

function sizeProblems(schema: JsonSchema, limits: Limits): readonly string[] {
  const schemas = allSchemas(schema);
  const names = schemas.flatMap(({ properties = {}, $defs = {} }) => [
    ...Object.keys(properties),
    ...Object.keys($defs),
  ]);
  const values = schemas.flatMap(({ enum: listed = [] }) => listed);
  const characters = [...names, ...values.map(String)].join('').length;
  const sizes: readonly (readonly [string, number, number])[] = [
    ['depth', depthOf(schema, schema.$defs ?? {}, []), limits.depth],
    ['properties', names.length, limits.properties],
    ['values of enums', values.length, limits.enumValues],
    ['characters of names', characters, limits.nameCharacters],
  ];
  return sizes.filter(([, size, most]) => size > most).map(([what, size]) => `${size} ${what}`);
}

/** Counts the nesting of objects and lists. A schema that contains itself counts once. */
function depthOf(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  open: readonly string[],
): number {
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name !== undefined) {
    const target = definitions[name];
    return target === undefined || open.includes(name) ? 0 : depthOf(target, definitions, [...open, name]);
  }
  const inside = childSchemas(schema)
    .filter(({ keyword }) => keyword !== '$defs')
    .map(({ schema: child }) => depthOf(child, definitions, open));
  const own = schema.type === 'object' || schema.type === 'array' ? 1 : 0;
  return own + Math.max(0, ...inside);
}
