import { invalidRequest } from './api-error.js';

type Json = Readonly<Record<string, unknown>>;

const OPTION = /^(?:select|expand|top|skiptoken|orderby|filter)$/i;

/** Adds the `$` prefix to OData query options, because Microsoft Graph also accepts them without it. */
export function withMarks(query: URLSearchParams): URLSearchParams {
  const marked = new URLSearchParams();
  for (const [name, value] of query)
    marked.append(OPTION.test(name) ? `$${name.toLowerCase()}` : name, value);
  return marked;
}

export function checkOptions(query: URLSearchParams, taken: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => name.startsWith('$') && !taken.includes(name));
  if (unknown !== undefined) throw invalidRequest(`The query option '${unknown}' is not supported here.`);
}

const LINK = '@microsoft.graph.downloadUrl';

/**
 * Keeps the selected and expanded properties. The download link is returned only if `$select` contains
 * `content.downloadUrl`.
 */
export function select(value: Json, query: URLSearchParams): Json {
  const selected = query.get('$select');
  if (selected === null) return value;
  const names = [...selected.split(','), ...expanded(query).map(([name]) => name)].map((name) => name.trim());
  const properties = Object.entries(value).filter(([key]) => names.includes(key) && key !== LINK);
  const link = names.includes('content.downloadUrl') && LINK in value ? { [LINK]: value[LINK] } : {};
  return { ...link, ...Object.fromEntries(properties) };
}

const expanded = (query: URLSearchParams): [name: string, options: string][] =>
  (query.get('$expand')?.match(/[^,(]+(?:\([^)]*\))?/g) ?? []).map((one) => {
    const [name = '', options = ''] = one.split('(', 2);
    return [name.trim(), options.replace(/\)\s*$/, '')];
  });

type Makers = Readonly<Record<string, () => Json | readonly Json[]>>;

/** Builds the properties of `$expand`, each with its own options: `children($select=id,name),thumbnails`. */
export function expand(query: URLSearchParams, makers: Makers): Json {
  return Object.fromEntries(
    expanded(query).map(([name, options]) => {
      const made = Object.hasOwn(makers, name) ? makers[name]?.() : undefined;
      if (made === undefined) throw invalidRequest(`Could not find the property '${name}' to expand.`);
      const within = withMarks(new URLSearchParams(options.replaceAll(';', '&')));
      const selected = (value: Json) => select(value, within);
      return [name, isList(made) ? made.map(selected) : selected(made)];
    }),
  );
}

const isList = (value: Json | readonly Json[]): value is readonly Json[] => Array.isArray(value);

export function sorted(
  values: readonly Json[],
  query: URLSearchParams,
  known: readonly string[],
): readonly Json[] {
  const order = query.get('$orderby');
  if (order === null) return values;
  const [, name = '', direction = 'asc'] = /^(\w+)(?: (asc|desc))?$/.exec(order.trim()) ?? [];
  if (!known.includes(name)) throw invalidRequest(`The items cannot be sorted by '${order}'.`);
  const sign = direction === 'asc' ? 1 : -1;
  return values.toSorted((a, b) => sign * compare(a[name], b[name]));
}

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

const DEFAULT_TOP = 200;

export function listPage(
  values: readonly Json[],
  { query, url, context }: { query: URLSearchParams; url: string; context: string },
): Json {
  const top = readTop(query.get('$top'));
  const start = readStart(query.get('$skiptoken'));
  const page = values.slice(start, start + top).map((value) => select(value, query));
  const next = new URLSearchParams(query);
  next.set('$skiptoken', Buffer.from(`start=${start + top}`).toString('base64url'));
  return {
    '@odata.context': context,
    ...(start + top < values.length ? { '@odata.nextLink': `${url}?${next}` } : {}),
    value: page,
  };
}

function readTop(text: string | null): number {
  if (text === null) return DEFAULT_TOP;
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > 1000)
    throw invalidRequest(`Invalid value '${text}' for $top query option.`);
  return Number(text);
}

function readStart(token: string | null): number {
  if (token === null) return 0;
  const start = /^start=(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8'))?.[1];
  if (start === undefined) throw invalidRequest('The skip token is not valid.');
  return Number(start);
}
