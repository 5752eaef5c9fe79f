import { parseDateTime } from '../zoned-time.js';

/** The query of a request that has passed the rules of its method. */
export interface Parameters {
  text(name: string): string | undefined;
  all(name: string): string[];
  /** Undefined when it is not given. */
  flag(name: string): boolean | undefined;
  integer(name: string, fallback: number): number;
  /** One of the words that mean something; a word that says no more than "unspecified" is none. */
  choice<Value extends string>(name: string, meaningful: readonly Value[]): Value | undefined;
  /** Milliseconds since 1970. */
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
      return value === undefined ? undefined : value === 'true';
    },
    integer: (name, fallback) => Number(text(name) ?? fallback),
    choice: (name, meaningful) => meaningful.find((one) => one === text(name)),
    time: (name) => parseDateTime(text(name) ?? '')?.instant,
    fingerprint: () => fingerprint(query),
  };
}

const NOT_FILTERS = new Set([
  'pageToken',
  'pageSize',
  'maxResults',
  'fields',
  'prettyPrint',
  'quotaUser',
  'access_token',
  'oauth_token',
]);

function fingerprint(query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => !NOT_FILTERS.has(name));
  return filters
    .map((pair) => pair.join('='))
    .sort()
    .join('&');
}
