import type { JsonSchema } from './json-schema.js';

/** The properties that a self-contained schema declares: its own, those of the shape that it refers to, and of `allOf`. */
export function propertiesOf(
  schema: JsonSchema,
  defs = schema.$defs ?? {},
): Readonly<Record<string, JsonSchema>> {
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = name === undefined ? undefined : defs[name];
  return Object.assign(
    {},
    ...(target === undefined ? [] : [propertiesOf(target, defs)]),
    ...(schema.allOf ?? []).map((part) => propertiesOf(part, defs)),
    schema.properties,
  );
}
