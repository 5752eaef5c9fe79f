import { isObject } from '../../json.js';

/**
 * Validates a value and returns error messages in the service's wording. An empty list means that the value is valid.
 */
export type Shape = (value: unknown, path: string) => readonly string[];

export function should(path: string, rule: string, value: unknown): string[] {
  return [`${path} should be ${rule}, instead was \`${excerpt(value)}\`.`];
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

interface Bounds {
  min?: number;
  max?: number;
}

function outside(path: string, size: number, { min, max }: Bounds): string[] {
  if (min !== undefined && size < min) return should(path, `≥ \`${min}\``, size);
  if (max !== undefined && size > max) return should(path, `≤ \`${max}\``, size);
  return [];
}

export const anything: Shape = () => [];

export function text(bounds: Bounds = {}): Shape {
  return (value, path) =>
    typeof value === 'string'
      ? outside(`${path}.length`, value.length, bounds)
      : should(path, 'a string', value);
}

export function number(bounds: Bounds & { integer?: boolean } = {}): Shape {
  return (value, path) => {
    if (typeof value !== 'number') return should(path, 'a number', value);
    if (bounds.integer === true && !Number.isInteger(value)) return should(path, 'an integer', value);
    return outside(path, value, bounds);
  };
}

export const boolean: Shape = (value, path) =>
  typeof value === 'boolean' ? [] : should(path, 'a boolean', value);

export function oneOf(...allowed: readonly (string | boolean)[]): Shape {
  return (value, path) => (allowed.some((one) => one === value) ? [] : should(path, listed(allowed), value));
}

function listed(allowed: readonly (string | boolean)[]): string {
  const quoted = allowed.map((one) => `\`${JSON.stringify(one)}\``);
  if (quoted.length <= 2) return quoted.join(' or ');
  return `${quoted.slice(0, -1).join(', ')}, or ${quoted.at(-1)}`;
}

export function nullable(shape: Shape): Shape {
  return (value, path) => (value === null ? [] : shape(value, path));
}

export function list(item: Shape, bounds: Bounds = {}): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return should(path, 'an array', value);
    const size = outside(`${path}.length`, value.length, bounds);
    if (size.length > 0) return size;
    return value.flatMap((entry, index) => item(entry, `${path}[${index}]`));
  };
}

export function object(fields: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape {
  return (value, path) => {
    if (!isObject(value)) return should(path, 'an object', value);
    const missing = required.filter((key) => value[key] === undefined);
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    return [
      ...missing.flatMap((key) => should(`${path}.${key}`, 'defined', undefined)),
      ...unknown.flatMap((key) => should(`${path}.${key}`, 'not present', value[key])),
      ...Object.entries(fields).flatMap(([key, shape]) =>
        value[key] === undefined ? [] : shape(value[key], `${path}.${key}`),
      ),
    ];
  };
}

export function dictionary(entry: Shape): Shape {
  return (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => entry(item, `${path}.${key}`))
      : should(path, 'an object', value);
}

/**
 * Requires an object with exactly one of the variant keys, plus optional shared keys. An optional `type` must name that
 * key.
 */
export function tagged(
  variants: Readonly<Record<string, Shape>>,
  shared: Readonly<Record<string, Shape>> = {},
): Shape {
  const keys = Object.keys(variants);
  return (value, path) => {
    if (!isObject(value)) return should(path, 'an object', value);
    const given = keys.filter((key) => value[key] !== undefined);
    const [key, second] = given;
    if (key === undefined) return keys.flatMap((name) => should(`${path}.${name}`, 'defined', undefined));
    if (second !== undefined) return should(`${path}.${second}`, 'not present', value[second]);
    return object({ ...shared, [key]: variants[key] ?? anything, type: oneOf(key) })(value, path);
  };
}

/** Assigns one value to several names, which are separated by spaces. */
export const each = <Value>(names: string, value: Value): Record<string, Value> =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

export function either(...shapes: readonly Shape[]): Shape {
  return (value, path) => {
    const problems = shapes.map((shape) => shape(value, path));
    return problems.some((branch) => branch.length === 0) ? [] : [...new Set(problems.flat())];
  };
}

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value);

export const uuid: Shape = (value, path) => (isUuid(value) ? [] : should(path, 'a valid uuid', value));

/** Converts an id to the form that the service returns: with dashes and in lower case. */
export function canonicalId(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

// `Date.parse` accepts 30 February and returns a day in March. Formatting the result again detects invalid days.
const isDay = (day: string): boolean => new Date(day).toISOString().startsWith(day);

export const isoDate: Shape = (value, path) =>
  typeof value === 'string' &&
  DATE.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  isDay(value.slice(0, 10))
    ? []
    : should(path, 'a valid ISO 8601 date string', value);

export function failureMessage(part: string, problems: readonly string[]): string {
  const [first = ''] = problems;
  return problems.length === 1
    ? `${part} failed validation: ${first}`
    : `${part} failed validation. Fix one:\n${problems.join('\n')}`;
}
