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
    flag(name) {
      const value = text(name);
      if (value === undefined || value === 'true' || value === 'false')
        return value === undefined ? undefined : value === 'true';
      throw invalidParameter(name, `Invalid boolean value: '${value}'.`);
    },
    integer(name, { min, max, fallback }) {
      const value = text(name);
      if (value === undefined) return fallback;
      if (!/^-?\d+$/.test(value)) throw invalidParameter(name, `Invalid integer value: '${value}'.`);
      if (Number(value) >= min && Number(value) <= max) return Number(value);
      throw invalidParameter(
        name,
        `Invalid value '${value}'. Values must be within the range: [${min}, ${max}]`,
      );
    },
    choice(name, allowed) {
      const value = text(name);
      const known = allowed.find((one) => one === value);
      if (value === undefined || known !== undefined) return known;
      throw invalidParameter(
        name,
        `Invalid string value: '${value}'. Allowed values: [${allowed.join(', ')}]`,
      );
    },
    time(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      const parsed = parseDateTime(value);
      if (parsed?.instant === undefined) throw badRequest();
      return parsed.instant;
    },
    fingerprint() {
      const kept = [...query].filter(
        ([name]) => name !== 'pageToken' && name !== 'maxResults' && name !== 'fields',
      );
      return kept
        .map((pair) => pair.join('='))
        .sort()
        .join('&');
    },
  };
}
