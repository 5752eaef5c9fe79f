import { parseDateTime } from '../zoned-time.js';

/**
 * Validation rule of a query parameter. A `texts` parameter may be repeated. A `moment` is a date-time with a UTC
 * offset.
 */
export type Rule =
  | 'text'
  | 'texts'
  | 'flag'
  | 'moment'
  | { readonly min: number; readonly max?: number }
  | { readonly words: readonly string[]; readonly repeats?: true };

export type Rules = Readonly<Record<string, Rule>>;

/** Assigns one validation rule to several query parameters. `names` separates their names with spaces. */
export const rules = (rule: Rule, names: string): Rules =>
  Object.fromEntries(names.split(' ').map((name) => [name, rule]));

const OF_ALL: Rules = {
  '$.xgafv': { words: ['1', '2'] },
  ...rules(
    'text',
    'access_token alt callback fields key oauth_token quotaUser uploadType upload_protocol userIp',
  ),
  prettyPrint: 'flag',
};

export interface Fault {
  readonly kind: 'missing' | 'unknown' | 'value' | 'moment';
  readonly name: string;
  readonly message: string;
}

export interface Taken {
  readonly parameters: Rules;
  readonly needs?: readonly string[];
}

export function findFault(query: URLSearchParams, { parameters, needs = [] }: Taken): Fault | undefined {
  const missing = needs.find((name) => query.getAll(name).every((value) => value === ''));
  if (missing !== undefined)
    return { kind: 'missing', name: missing, message: `Missing required parameter: ${missing}` };
  const known = { ...OF_ALL, ...parameters };
  for (const name of new Set(query.keys())) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (rule === undefined) return { kind: 'unknown', name, message: `Unexpected parameter: ${name}` };
    const message = valuesFault(query.getAll(name), rule);
    if (message !== undefined) return { kind: rule === 'moment' ? 'moment' : 'value', name, message };
  }
  return undefined;
}

function valuesFault(values: readonly string[], rule: Rule): string | undefined {
  const isRepeatable = rule === 'texts' || (typeof rule === 'object' && 'repeats' in rule);
  if (values.length > 1 && !isRepeatable) return 'The parameter is not repeating.';
  return values.map((value) => valueFault(value, rule)).find((message) => message !== undefined);
}

function valueFault(value: string, rule: Rule): string | undefined {
  if (rule === 'text' || rule === 'texts') return undefined;
  if (rule === 'flag')
    return value === 'true' || value === 'false' ? undefined : `Invalid boolean value: '${value}'.`;
  if (rule === 'moment') return parseDateTime(value)?.instant === undefined ? 'Bad Request' : undefined;
  if ('min' in rule) return integerFault(value, rule);
  if (rule.words.includes(value)) return undefined;
  return `Invalid string value: '${value}'. Allowed values: [${rule.words.join(', ')}]`;
}

const LARGEST = 2 ** 31 - 1;

function integerFault(
  value: string,
  { min, max = LARGEST }: { min: number; max?: number },
): string | undefined {
  if (!/^-?\d+$/.test(value)) return `Invalid integer value: '${value}'.`;
  if (Number(value) >= min && Number(value) <= max) return undefined;
  return `Invalid value '${value}'. Values must be within the range: [${min}, ${max}]`;
}
