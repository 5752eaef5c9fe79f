import { childSchemas, type JsonSchema, propertiesOf } from '@svc/catalog';

/** Keywords whose subschemas describe the same value. A path also passes through a list to all of its items. */
const SAME_VALUE: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'items', 'prefixItems'];
/** Keywords that restrict a value. A schema without any of them accepts every value. */
const RESTRICTING = ['type', 'properties', 'enum', 'const', 'required', 'not', '$ref', ...SAME_VALUE];

type Definitions = NonNullable<JsonSchema['$defs']>;

/** Adds a schema, the target of its reference, and all schemas that describe the same value or its items. */
function collectForms(schema: JsonSchema, defs: Definitions, forms: Set<JsonSchema>): void {
  if (forms.has(schema)) return;
  forms.add(schema);
  const target = schema.$ref && defs[schema.$ref.replace('#/$defs/', '')];
  if (target) collectForms(target, defs, forms);
  for (const { keyword, schema: child } of childSchemas(schema))
    if (SAME_VALUE.includes(keyword)) collectForms(child, defs, forms);
}

const isFree = (schema: JsonSchema): boolean => RESTRICTING.every((keyword) => schema[keyword] === undefined);

/** Returns the schema of the properties that an object schema does not name. Undefined if it allows none. */
function othersOf(schema: JsonSchema): JsonSchema | undefined {
  const { additionalProperties = true } = schema;
  if (isFree(schema) || (additionalProperties === true && [schema.type].flat().includes('object'))) return {};
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Step of a path that the input schema does not have, with the names of the properties that the schema has there. */
export interface UnknownStep {
  /** Path to the unknown step, without the step itself. */
  readonly parent: readonly string[];
  readonly step: string;
  readonly known: readonly string[];
}

/**
 * Returns the first step of a path, such as `start.date_time`, that no valid input has. Undefined if all steps exist.
 */
export function findUnknownStep(path: string, input: JsonSchema): UnknownStep | undefined {
  const defs = input.$defs ?? {};
  const steps = path.split('.');
  let values: readonly JsonSchema[] = [input];
  for (const [index, step] of steps.entries()) {
    const forms = new Set<JsonSchema>();
    for (const value of values) collectForms(value, defs, forms);
    const objects = [...forms].map((form) => ({
      properties: propertiesOf(form, defs),
      others: othersOf(form),
    }));
    values = objects
      .map(({ properties, others }) => (Object.hasOwn(properties, step) ? properties[step] : others))
      .filter((value) => value !== undefined);
    const known = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties)))];
    if (values.length === 0) return { parent: steps.slice(0, index), step, known };
  }
  return undefined;
}
