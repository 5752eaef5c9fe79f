import { flagsOf, isJsonObject, type JsonObject, type JsonSchema, keyGroupsOf } from '../json-schema.js';
import type { Validator } from './create-validator.js';

/**
 * Creates an input validator for a schema with rules across fields, such as `exactlyOneOf`. It removes false flags of
 * an `exactlyOneOf` group. It fills in a field's default only where the rules allow the field, and otherwise removes a
 * value equal to the default.
 */
export function ruledInput(schema: JsonSchema, validatorOf: (plain: JsonSchema) => Validator): Validator {
  const flags = flagsOf(schema);
  const defaults = ruledDefaults(schema);
  const validate = validatorOf(withoutDefaults(schema, defaults));
  return (input) => {
    if (!isJsonObject(input)) return validate(input);
    for (const name of flags) if (input[name] === false) delete input[name];
    dropDefaults(input, schema, defaults);
    const broken = validate(input);
    if (broken.length === 0) fillDefaults(input, schema, defaults);
    return broken;
  };
}

/**
 * Returns the schema without the defaults of fields under `atMostOneOf` or `requiredWith`. `ruledInput` fills these
 * defaults in after validation.
 */
export const withoutRuledDefaults = (schema: JsonSchema): JsonSchema =>
  withoutDefaults(schema, ruledDefaults(schema));

function ruledDefaults({ properties = {}, ...rules }: JsonSchema): ReadonlyMap<string, unknown> {
  const ruled = [...keyGroupsOf(rules.atMostOneOf).flat(), ...Object.keys(rules.requiredWith ?? {})];
  const pairs = [...new Set(ruled)].map((name) => [name, properties[name]?.default] as const);
  return new Map(pairs.filter(([, value]) => value !== undefined));
}

function withoutDefaults(schema: JsonSchema, defaults: ReadonlyMap<string, unknown>): JsonSchema {
  if (defaults.size === 0) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { default: _, ...rest } = property;
    return [name, defaults.has(name) ? rest : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function dropDefaults(input: JsonObject, schema: JsonSchema, defaults: ReadonlyMap<string, unknown>): void {
  for (const [name, value] of defaults)
    if (input[name] === value && !hasRoomFor(name, input, schema)) delete input[name];
}

function fillDefaults(input: JsonObject, schema: JsonSchema, defaults: ReadonlyMap<string, unknown>): void {
  for (const [name, value] of defaults) {
    if (!Object.hasOwn(input, name) && hasRoomFor(name, input, schema)) input[name] = value;
  }
}

function hasRoomFor(name: string, input: JsonObject, { atMostOneOf, requiredWith }: JsonSchema): boolean {
  const groups = keyGroupsOf(atMostOneOf).filter((group) => group.includes(name));
  const isTaken = groups.some((group) =>
    group.some((other) => other !== name && Object.hasOwn(input, other)),
  );
  const needed = requiredWith?.[name] ?? [];
  return !isTaken && needed.every((other) => Object.hasOwn(input, other));
}
