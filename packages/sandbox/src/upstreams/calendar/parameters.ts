import { badRequest, invalidParameter } from './api-error.js';
import { parseDateTime } from './zoned-time.js';

interface Range {
  min: number;
  max: number;
  fallback: number;
}

/** The query of a request, read with the service's rules. */
export interface Parameters {
  text(name: string): string | undefined;
  all(name: string): string[];
  /** `true` or `false`; undefined when it is not given. */
  flag(name: string): boolean | undefined;
  integer(name: string, range: Range): number;
  choice<Value extends string>(name: string, allowed: readonly Value[]): Value | undefined;
  /** Milliseconds since 1970; the text has to name an offset. */
  time(name: string): number | undefined;
  /** The query without the page token, to tell whether two requests ask the same. */
  fingerprint(): string;
}

export function readParameters(query: URLSearchParams): Parameters {
  const text = (name: string) => query.get(name) ?? undefined;
  return {
    text,
    all: (name) => query.getAll(name),
    flag: (name) => readFlag(name, text(name)),
    integer: (name, range) => readInteger(name, text(name), range),
    time: (name) => readTime(text(name)),
    choice(name, allowed) {
      const value = text(name);
      const known = allowed.find((one) => one === value);
      if (value === undefined || known !== undefined) return known;
      throw invalidParameter(
        name,
        `Invalid string value: '${value}'. Allowed values: [${allowed.join(', ')}]`,
      );
    },
    fingerprint: () => fingerprint(query),
  };
}

function readFlag(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidParameter(name, `Invalid boolean value: '${value}'.`);
}

function readInteger(name: string, value: string | undefined, { min, max, fallback }: Range): number {
  if (value === undefined) return fallback;
  if (!/^-?\d+$/.test(value)) throw invalidParameter(name, `Invalid integer value: '${value}'.`);
  if (Number(value) >= min && Number(value) <= max) return Number(value);
  throw invalidParameter(name, `Invalid value '${value}'. Values must be within the range: [${min}, ${max}]`);
}

function readTime(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const instant = parseDateTime(value)?.instant;
  if (instant === undefined) throw badRequest();
  return instant;
}

const NOT_FILTERS = new Set(['pageToken', 'maxResults', 'fields', 'prettyPrint', 'quotaUser']);

function fingerprint(query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => !NOT_FILTERS.has(name));
  return filters
    .map((pair) => pair.join('='))
    .sort()
    .join('&');
}
