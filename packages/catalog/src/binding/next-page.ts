import { ResponseError } from '../errors.js';
import type { JsonObject, JsonSchema } from '../json-schema.js';
import type { OffsetPaging, PagePaging, Paging } from '../tool.js';
import { missing } from './bind-request.js';
import { at } from './reference.js';

/** Upstream response: status, body, and headers with lower-case names. */
export interface ParsedResponse {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Call of a tool whose results have pages, and the upstream response to it. */
export interface ReceivedPage {
  readonly paging: Paging;
  /** Input of the tool call, with defaults filled in. */
  readonly input: JsonObject;
  /** Schema of the tool input, without references to other schemas. */
  readonly schema: JsonSchema;
  readonly response: ParsedResponse;
  /** Data of the current page for the caller, before the service adds the value that requests the next page. */
  readonly data: unknown;
}

/**
 * Calculates the page number, offset or token that requests the next page. Returns null after the last page, and if the
 * upstream's response data already contains that value. Throws `ResponseError` if the value must come from the last
 * item of the page, and the item lacks it.
 */
export function nextPage(page: ReceivedPage): string | number | null {
  const { paging, response } = page;
  if (moreOf(paging, page.data) === false) return null;
  if (paging.last !== undefined) return lastValue(paging.last, page);
  if (paging.page) return nextNumber(paging.page, page);
  if (paging.offset) return nextOffset(paging.offset, page);
  if (paging.link === undefined) return null;
  const value = linkParameter(response.headers?.['link'], paging.link);
  if (value === undefined) return null;
  return isNumeric(page) && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

/**
 * Returns the value of the upstream's flag that states whether more pages follow. Undefined if the upstream has no such
 * flag.
 */
function moreOf({ more }: Paging, data: unknown): boolean | undefined {
  const flag = more === undefined ? undefined : at(data, more);
  return typeof flag === 'boolean' ? flag : undefined;
}

function lastValue(path: string, { paging, response, data }: ReceivedPage): string | number | null {
  const items = at(data, paging.items);
  if (!Array.isArray(items) || items.length === 0) return null;
  const value = at(items.at(-1), path);
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return value;
  throw new ResponseError(missing(`${paging.items}/${items.length - 1}/${path}`), response.body);
}

const isNumeric = ({ paging, schema }: ReceivedPage): boolean =>
  ['integer', 'number'].includes(String(schema.properties?.[paging.input ?? '']?.type));

const requestedStart = ({ paging, input }: ReceivedPage): number | undefined => numberAt(input, paging.input);

const numberAt = (value: unknown, path: string | undefined): number | undefined => {
  const entry = path === undefined ? undefined : at(value, path);
  return typeof entry === 'number' && Number.isFinite(entry) ? entry : undefined;
};

const itemsOf = ({ data, paging }: ReceivedPage): number => {
  const items = at(data, paging.items);
  return Array.isArray(items) ? items.length : 0;
};

/**
 * Checks whether a page has as many items as the tool input named `size` requested. More pages may follow a full page.
 * The upstream's own flag overrides the number of items.
 */
const isFull = (size: string, page: ReceivedPage): boolean => {
  const more = moreOf(page.paging, page.data);
  if (more !== undefined) return more;
  const requested = page.input[size];
  return typeof requested === 'number' && requested > 0 && itemsOf(page) >= requested;
};

function nextNumber({ number, of, next, size }: PagePaging, page: ReceivedPage): number | null {
  const { response } = page;
  if (size !== undefined) return isFull(size, page) ? (requestedStart(page) ?? 1) + 1 : null;
  const current = numberAt(response.body, number);
  const last = numberAt(response.body, of);
  if (current !== undefined && last !== undefined && current >= last) return null;
  if (next !== undefined) return numberAt(response.body, next) ?? null;
  return current === undefined || last === undefined ? null : current + 1;
}

function nextOffset({ total, size }: OffsetPaging, page: ReceivedPage): number | null {
  const count = itemsOf(page);
  const next = (requestedStart(page) ?? 0) + count;
  const all = numberAt(page.response.body, total);
  const hasMore = all === undefined ? size !== undefined && isFull(size, page) : next < all;
  return count > 0 && hasMore ? next : null;
}

const LINK = /<([^<>]*)>([^<>]*)/g;

/** Returns whether the parameters of a link, such as `; rel="next"`, mark it as the next page. */
const isNext = (parameters: string): boolean =>
  parameters.split(/[;,]/).some((parameter) => {
    const [name = '', value = ''] = parameter.toLowerCase().split('=', 2);
    return name.trim() === 'rel' && value.replaceAll('"', ' ').split(' ').includes('next');
  });

/**
 * Returns a query parameter of the next page's URL in a Link header (RFC 8288). The service reads only the parameter,
 * and sends no request to that URL.
 */
function linkParameter(header: string | readonly string[] | undefined, name: string): string | undefined {
  for (const [, address = '', parameters = ''] of [header ?? ''].flat().join(', ').matchAll(LINK)) {
    if (!isNext(parameters)) continue;
    const query = address.slice(address.indexOf('?') + 1).split('#', 1)[0];
    return new URLSearchParams(query).get(name) ?? undefined;
  }
  return undefined;
}

const isNothing = (token: unknown): boolean => token == null || token === '' || token === false;

/** Checks whether the data of a page contains the value that requests the next page. */
export const hasNextPage = (paging: Paging, data: unknown): boolean =>
  moreOf(paging, data) !== false && !isNothing(at(data, paging.output));

/**
 * Throws `ResponseError` if the upstream reports further pages, but nothing in the data requests the next page. Without
 * this error, callers would take the pages so far for the whole list.
 */
export function checkNextPage(paging: Paging, data: unknown): void {
  const isLost = paging.input !== undefined && moreOf(paging, data) === true && !hasNextPage(paging, data);
  if (!isLost) return;
  throw new ResponseError(
    `The upstream reports further pages ("${paging.more}" is true), but its response has no value that requests the next page. Narrow the request so that all results fit on one page.`,
    data,
  );
}

/**
 * Returns the tool inputs to change for the next page. Undefined after the last page, or if no tool input requests a
 * page.
 */
export function nextInput(paging: Paging | undefined, data: unknown): JsonObject | undefined {
  if (paging?.input === undefined || !hasNextPage(paging, data)) return undefined;
  const paths = Object.entries({ [paging.input]: paging.output, ...paging.also });
  const values = paths.map(([name, path]) => [name, at(data, path)]);
  return Object.fromEntries(values.filter(([, value]) => value != null));
}
