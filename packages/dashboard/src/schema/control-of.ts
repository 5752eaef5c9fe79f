import { FORMAT_EXAMPLES, isJsonObject, type JsonSchema, joinWords } from '@svc/catalog/rules';

/** The control for a value; `json` is the fallback. */
export type Control = 'choice' | 'flag' | 'number' | 'secret' | 'text' | 'words' | 'list' | 'fields' | 'json';

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';
/** Longer texts get room for several lines. */
const SHORT = 256;

function controlOfText({ writeOnly, format, pattern, maxLength = SHORT }: JsonSchema): Control {
  if (writeOnly) return 'secret';
  const isLine = format !== undefined || pattern !== undefined || Number(maxLength) < SHORT;
  return isLine ? 'text' : 'words';
}

/** The control for a schema whose references were followed. */
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

function wantedOf(schema: JsonSchema): readonly (string | undefined)[] {
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
        // `minLength: 1` needs no words, because every text that is given has a character.
        schema['minLength'] === 1 && schema['maxLength'] === undefined
          ? undefined
          : rangeOf(schema['minLength'], schema['maxLength'], 'characters'),
        // Descriptions explain the pattern, and the error names it.
        pattern === undefined || schema.description !== undefined ? undefined : `in the pattern ${pattern}`,
      ];
    case 'array':
      return [
        rangeOf(schema['minItems'], schema['maxItems'], 'items'),
        schema['uniqueItems'] === true ? 'none twice' : undefined,
      ];
    case 'object':
      return [rangeOf(schema['minProperties'], schema['maxProperties'], 'fields')];
    default:
      return [];
  }
}

/** The limits and the default of a value as a sentence; empty where there are none. */
export function limitsOf(schema: JsonSchema): string {
  const wanted = wantedOf(schema).filter((each) => each !== undefined);
  const limits = wanted.join(', ');
  const start = limits === '' ? '' : `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`;
  const { default: value } = schema;
  const end = value === undefined ? '' : `When left out: ${isScalar(value) ? value : JSON.stringify(value)}.`;
  return [start, end].filter(Boolean).join(' ');
}

/** The types of a value that is written as JSON, in words. */
export function formsOf(schema: JsonSchema): string {
  const types = [schema.type ?? (schema.anyOf ?? schema.oneOf ?? []).map(({ type }) => type)].flat();
  const names = [...new Set(types.filter((type) => typeof type === 'string'))];
  return names.length === 0 ? 'As JSON.' : `As JSON: ${joinWords(names, 'or')}.`;
}
