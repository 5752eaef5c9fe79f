import { parseDateTime } from '../zoned-time.js';

export type Parameters = ReturnType<typeof readParameters>;

export function readParameters(query: URLSearchParams) {
  const text = (name: string) => query.get(name) ?? undefined;
  return {
    text,
    all: (name: string) => query.getAll(name),
    flag(name: string): boolean | undefined {
      const value = text(name);
      return value === undefined ? undefined : value === 'true';
    },
    integer: (name: string, fallback: number) => Number(text(name) ?? fallback),
    /** Returns the parameter's value if it is a meaningful one. Values such as "unspecified" count as absent. */
    choice: <Value extends string>(name: string, meaningful: readonly Value[]) =>
      meaningful.find((one) => one === text(name)),
    time: (name: string) => parseDateTime(text(name) ?? '')?.instant,
    fingerprint: () => fingerprint(query),
  };
}

const NOT_FILTERS = new Set(
  'pageToken pageSize maxResults fields prettyPrint quotaUser access_token oauth_token'.split(' '),
);

function fingerprint(query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => !NOT_FILTERS.has(name)).map((pair) => pair.join('='));
  return filters.sort().join('&');
}
