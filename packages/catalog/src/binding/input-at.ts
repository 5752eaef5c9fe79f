import { type JsonSchema, propertiesOf, resolved } from '../json-schema.js';

/** Returns the schema of an object's property. Undefined for inherited names such as "constructor". */
export function propertyOf(
  schema: JsonSchema,
  name: string,
  defs = schema.$defs ?? {},
): JsonSchema | undefined {
  const properties = propertiesOf(schema, defs);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/**
 * Returns the schema of a tool input such as `filter`, or of a value in it such as `filter/name`. Undefined if the
 * input schema allows no value with that name.
 */
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
  const property = propertyOf(schema, step, defs);
  if (property !== undefined) return property;
  const { items, additionalProperties = true } = schema;
  if (/^\d+$/.test(step) && [schema.type].flat().includes('array'))
    return typeof items === 'object' ? items : {};
  const isOpen = additionalProperties !== false || UNIONS.some((keyword) => schema[keyword] !== undefined);
  const isObject = schema.type === undefined || [schema.type].flat().includes('object');
  return isOpen && isObject ? {} : undefined;
}

type Defs = Readonly<Record<string, JsonSchema>>;

/**
 * Checks whether every valid tool input contains the referenced value, because the value is required or has a default.
 */
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

/** Returns true if values of a schema can be a segment of a URL path, because they are texts or numbers. */
export const isSegment = (schema: JsonSchema): boolean =>
  typesOf(schema).every((type) => ['string', 'integer', 'number'].includes(type));

/**
 * Returns true if values of a schema can be sent in a URL query or a header, because they are scalars or lists of
 * scalars.
 */
export function isSent(schema: JsonSchema, input: JsonSchema): boolean {
  const known = resolved(schema, input);
  return typesOf(known).every((type) => {
    if (type === 'array') return isItem(resolved(typeof known.items === 'object' ? known.items : {}, input));
    return type === 'null' || SCALARS.includes(type);
  });
}

const isItem = (schema: JsonSchema): boolean => typesOf(schema).every((type) => SCALARS.includes(type));
