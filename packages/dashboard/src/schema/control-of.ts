import { FORMAT_EXAMPLES, isJsonObject, type JsonSchema, joinWords } from '@svc/catalog/rules';

export type Control =
  | 'choice'
  | 'flag'
  | 'number'
  | 'secret'
  | 'text'
  | 'multiline'
  | 'list'
  | 'fields'
  | 'json';

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';
/** A text value gets a multiline form control if its maximum length is at least this number of characters. */
const MULTILINE_LENGTH = 256;

function controlOfText({ writeOnly, format, pattern, maxLength = MULTILINE_LENGTH }: JsonSchema): Control {
  if (writeOnly) return 'secret';
  const isLine = format !== undefined || pattern !== undefined || Number(maxLength) < MULTILINE_LENGTH;
  return isLine ? 'text' : 'multiline';
}

/** Chooses the form control for a JSON schema whose `$ref` is already resolved. */
export function controlOf(schema: JsonSchema): Control {
  if (schema.enum?.every(isScalar) || isScalar(schema.const)) return 'choice';
  switch (schema.type) {
    case 'boolean':
      return 'flag';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return controlOfText(schema);
    case 'array':
      return isJsonObject(schema.items) ? 'list' : 'json';
    case 'object':
      return Object.keys(schema.properties ?? {}).length > 0 ? 'fields' : 'json';
    default:
      return 'json';
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function rangeOf(low: unknown, high: unknown, noun = ''): string | undefined {
  const [from, to] = [numberOf(low), numberOf(high)];
  const what = noun && ` ${noun}`;
  if (from !== undefined && to !== undefined) return `${from} to ${to}${what}`;
  if (from !== undefined && (from > 0 || noun === '')) return `at least ${from}${what}`;
  return to === undefined ? undefined : `at most ${to}${what}`;
}

function constraintsOf(schema: JsonSchema): readonly (string | undefined)[] {
  const { type, format, pattern, minimum, maximum, multipleOf } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      return [
        type === 'integer' ? 'a whole number' : 'a number',
        rangeOf(minimum, maximum),
        multipleOf === undefined ? undefined : `a multiple of ${multipleOf}`,
      ];
    case 'string':
      return [
        format === undefined ? undefined : (FORMAT_EXAMPLES[format] ?? `in the format ${format}`),
        // A `minLength` of 1 needs no hint, because an empty field counts as no value.
        schema['minLength'] === 1 && schema['maxLength'] === undefined
          ? undefined
          : rangeOf(schema['minLength'], schema['maxLength'], 'characters'),
        // The pattern is shown only if the schema has no description, because a description explains the format better.
        pattern === undefined || schema.description !== undefined ? undefined : `matching ${pattern}`,
      ];
    case 'array':
      return [
        rangeOf(schema['minItems'], schema['maxItems'], 'items'),
        schema['uniqueItems'] === true ? 'no duplicates' : undefined,
      ];
    case 'object':
      return [rangeOf(schema['minProperties'], schema['maxProperties'], 'fields')];
    default:
      return [];
  }
}

/**
 * Describes the constraints and the default of a value, as a hint. Returns an empty string if the schema has neither.
 */
export function limitsOf(schema: JsonSchema): string {
  const limits = constraintsOf(schema)
    .filter((each) => each !== undefined)
    .join(', ');
  const start = limits === '' ? '' : `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`;
  const { default: value } = schema;
  const end = value === undefined ? '' : `Default: ${isScalar(value) ? value : JSON.stringify(value)}.`;
  return [start, end].filter(Boolean).join(' ');
}

/** Builds the hint for a form field that takes JSON. The hint names the accepted types. */
export function jsonHintOf(schema: JsonSchema): string {
  const types = [schema.type ?? (schema.anyOf ?? schema.oneOf ?? []).map(({ type }) => type)].flat();
  const names = [...new Set(types.filter((type) => typeof type === 'string'))];
  return names.length === 0 ? 'Enter JSON.' : `Enter JSON: ${joinWords(names, 'or')}.`;
}
