import { isSameJson } from './binding/replay.js';
import type { Report } from './file-report.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';
import { kindOf } from './kind-of.js';

/** Checks that the values which a schema names, and its default, are values that it takes. */
export function checkValues(schema: JsonSchema, report: Report): void {
  for (const [index, value] of (schema.enum ?? []).entries()) {
    if (!hasType(value, schema)) report(['enum', index], `${told(value)} is not of type ${typesOf(schema)}`);
  }
  if (schema.const !== undefined && !hasType(schema.const, schema))
    report(['const'], `${told(schema.const)} is not of type ${typesOf(schema)}`);
  checkDefault(schema, report);
}

function checkDefault(schema: JsonSchema, report: Report): void {
  const { default: value, enum: values } = schema;
  if (value === undefined) return;
  const wrong = (reason: string) => report(['default'], `${told(value)} ${reason}`);
  if (!hasType(value, schema)) wrong(`is not of type ${typesOf(schema)}`);
  else if (values !== undefined && !values.some((each) => isSameJson(each, value)))
    wrong('is not one of the values in "enum"');
  else {
    for (const { least, most, sizeOf } of BOUNDS) {
      const size = sizeOf(value);
      const [low, high] = [schema[least], schema[most]];
      if (typeof low === 'number' && size !== undefined && size < low) wrong(`is below ${least}`);
      if (typeof high === 'number' && size !== undefined && size > high) wrong(`is beyond ${most}`);
    }
  }
}

const BOUNDS = [
  {
    least: 'minimum',
    most: 'maximum',
    sizeOf: (value: unknown) => (typeof value === 'number' ? value : undefined),
  },
  {
    least: 'minLength',
    most: 'maxLength',
    sizeOf: (value: unknown) => (typeof value === 'string' ? [...value].length : undefined),
  },
  {
    least: 'minItems',
    most: 'maxItems',
    sizeOf: (value: unknown) => (Array.isArray(value) ? value.length : undefined),
  },
  {
    least: 'minProperties',
    most: 'maxProperties',
    sizeOf: (value: unknown) => (isJsonObject(value) ? Object.keys(value).length : undefined),
  },
] as const;

const told = (value: unknown): string => JSON.stringify(value);

const typesOf = ({ type }: JsonSchema): string => [type].flat().join(' or ');

const hasType = (value: unknown, { type }: JsonSchema): boolean =>
  type === undefined ||
  [type].flat().some((each) => (each === 'integer' ? Number.isInteger(value) : each === kindOf(value)));
