import { parseDateTime } from '../zoned-time.js';
import { ApiError, parameter } from './api-error.js';

interface Range {
  min: number;
  max: number;
  fallback: number;
}

/** The query of a request, read with the rules of all services. */
export interface Parameters {
  text(name: string): string | undefined;
  all(name: string): string[];
  /** `true` or `false`; undefined when it is not given. */
  flag(name: string): boolean | undefined;
  integer(name: string, range: Range): number;
  choice<Value extends string>(name: string, allowed: readonly Value[]): Value | undefined;
  /** Every value of a name that may be repeated. */
  choices<Value extends string>(name: string, allowed: readonly Value[]): Value[];
  /** Milliseconds since 1970; the text has to name an offset. */
  time(name: string): number | undefined;
  /** The query without the page token, to tell whether two requests ask the same. */
  fingerprint(): string;
}

/** The reasons that a service gives for values that it does not take. */
export interface Reasons {
  readonly value: string;
  readonly time: string;
}

export function readParameters(query: URLSearchParams, reasons: Reasons): Parameters {
  const text = (name: string) => query.get(name) ?? undefined;
  const refuse = (name: string, message: string) =>
    new ApiError(400, reasons.value, message, { at: parameter(name) });
  const oneOf = <Value extends string>(name: string, value: string, allowed: readonly Value[]): Value => {
    const known = allowed.find((one) => one === value);
    if (known !== undefined) return known;
    throw refuse(name, `Invalid string value: '${value}'. Allowed values: [${allowed.join(', ')}]`);
  };
  return {
    text,
    all: (name) => query.getAll(name),
    flag(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (value === 'true' || value === 'false') return value === 'true';
      throw refuse(name, `Invalid boolean value: '${value}'.`);
    },
    integer(name, range) {
      const value = text(name);
      if (value === undefined) return range.fallback;
      const problem = integerProblem(value, range);
      if (problem !== undefined) throw refuse(name, problem);
      return Number(value);
    },
    time(name) {
      const value = text(name);
      const instant = value === undefined ? undefined : parseDateTime(value)?.instant;
      if (value === undefined || instant !== undefined) return instant;
      throw new ApiError(400, reasons.time, 'Bad Request', { at: parameter(name) });
    },
    choice: (name, allowed) => {
      const value = text(name);
      return value === undefined ? undefined : oneOf(name, value, allowed);
    },
    choices: (name, allowed) => query.getAll(name).map((value) => oneOf(name, value, allowed)),
    fingerprint: () => fingerprint(query),
  };
}

function integerProblem(value: string, { min, max }: Range): string | undefined {
  if (!/^-?\d+$/.test(value)) return `Invalid integer value: '${value}'.`;
  if (Number(value) >= min && Number(value) <= max) return undefined;
  return `Invalid value '${value}'. Values must be within the range: [${min}, ${max}]`;
}

const NOT_FILTERS = new Set([
  'pageToken',
  'pageSize',
  'maxResults',
  'fields',
  'prettyPrint',
  'quotaUser',
  'oauth_token',
]);

function fingerprint(query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => !NOT_FILTERS.has(name));
  return filters
    .map((pair) => pair.join('='))
    .sort()
    .join('&');
}
