import { type JsonSchema, propertiesOf, resolved } from '../json-schema.js';

/** A field of a self-contained schema; names such as "constructor" are none. */
export function propertyOf(
  schema: JsonSchema,
  name: string,
  defs = schema.$defs ?? {},
): JsonSchema | undefined {
  const properties = propertiesOf(schema, defs);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the schema of an input, or of a part such as `filter/name`; undefined if it cannot exist. */
export function inputAt(reference: string, input: JsonSchema): JsonSchema | undefined {
  const defs = input.$defs ?? {};
  return reference
    .split('/')
    .reduce<JsonSchema | undefined>(
      (schema, step) => (schema === undefined ? undefined : partOf(resolved(schema, input), step, defs)),
      input,
    );
}

const UNIONS = ['anyOf', 'oneOf', 'patternProperties'];

function partOf(schema: JsonSchema, step: string, defs: Defs): JsonSchema | undefined {
  const found = propertyOf(schema, step, defs);
  if (found !== undefined) return found;
  const { items, additionalProperties = true } = schema;
  if (/^\d+$/.test(step) && [schema.type].flat().includes('array'))
    return typeof items === 'object' ? items : {};
  const isOpen = additionalProperties !== false || UNIONS.some((keyword) => schema[keyword] !== undefined);
  const isObject = schema.type === undefined || [schema.type].flat().includes('object');
  return isOpen && isObject ? {} : undefined;
}

type Defs = Readonly<Record<string, JsonSchema>>;

/** Returns whether every input has the part, given or by a default. */
export function isAlwaysThere(reference: string, input: JsonSchema): boolean {
  const defs = input.$defs ?? {};
  let schema: JsonSchema | undefined = input;
  for (const step of reference.split('/')) {
    const object: JsonSchema = resolved(schema ?? {}, input);
    schema = propertyOf(object, step, defs);
    if (!object.required?.includes(step) && schema?.default === undefined) return false;
  }
  return true;
}

const SCALARS = ['string', 'integer', 'number', 'boolean'];

const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat());

/** Returns whether a value may become a segment of a path. */
export const isSegment = (schema: JsonSchema): boolean =>
  typesOf(schema).every((type) => ['string', 'integer', 'number'].includes(type));

/** Returns whether a value can be sent in a query or a header: one value, or a list of them. */
export function isSent(schema: JsonSchema, input: JsonSchema): boolean {
  const known = resolved(schema, input);
  return typesOf(known).every((type) => {
    if (type === 'array') return isItem(resolved(typeof known.items === 'object' ? known.items : {}, input));
    return type === 'null' || SCALARS.includes(type);
  });
}

const isItem = (schema: JsonSchema): boolean => typesOf(schema).every((type) => SCALARS.includes(type));
