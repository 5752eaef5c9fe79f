import { invalidRequest } from './api-error.js';

type Json = Readonly<Record<string, unknown>>;

/** Refuses system options that an endpoint does not take. */
export function checkOptions(query: URLSearchParams, taken: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => name.startsWith('$') && !taken.includes(name));
  if (unknown !== undefined) throw invalidRequest(`The query option '${unknown}' is not supported here.`);
}

const LINK = '@microsoft.graph.downloadUrl';

/** The selected properties. The link comes only when it is asked for by its other name. */
export function select(value: Json, query: URLSearchParams): Json {
  const names = query.get('$select')?.split(',');
  if (names === undefined) return value;
  const kept = Object.entries(value).filter(([key]) => names.includes(key) && key !== LINK);
  const link = names.includes('content.downloadUrl') && LINK in value ? { [LINK]: value[LINK] } : {};
  return { ...link, ...Object.fromEntries(kept) };
}

interface Paged {
  readonly query: URLSearchParams;
  /** Absolute, without a query. */
  readonly url: string;
  readonly context: string;
}

const DEFAULT_TOP = 200;

/** One page of a list, with the absolute address of the next. */
export function listPage(values: readonly Json[], { query, url, context }: Paged): Json {
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
