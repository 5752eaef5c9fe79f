import { parseJson } from '@svc/catalog';
import { ServiceError } from './errors.js';
import { isPlainText } from './text/plain-text.js';

export interface PageRequest {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

/** Order of a list by time. Default: newest first. */
export type TimeOrder = 'newest' | 'oldest';

export interface Page<Item> {
  readonly items: Item[];
  readonly nextPageToken?: string;
}

/** Number of items of a list. */
export interface RowCount {
  /** Number of items, at most 10,000. */
  readonly count: number;
  /** True if the list may have more items than `count`. */
  readonly more: boolean;
}

const DEFAULT_SIZE = 50;

export const pageSizeOf = ({ pageSize = DEFAULT_SIZE }: PageRequest): number => pageSize;

const unknownPageToken = (): ServiceError =>
  new ServiceError(
    'invalid_request',
    'The "pageToken" does not belong to this list. Omit "pageToken" to get the first page.',
  );

/** Decodes a page token into the sort keys of the previous page's last item. Throws `invalid_request`. */
export function readPageToken({ pageToken }: PageRequest, keys: number): string[] | undefined {
  if (pageToken === undefined) return undefined;
  const read = parse(Buffer.from(pageToken, 'base64url').toString());
  const isRight =
    Array.isArray(read) &&
    read.length === keys &&
    read.every((key) => typeof key === 'string' && isPlainText(key));
  if (isRight) return read;
  throw unknownPageToken();
}

const WHOLE_NUMBER = /^\d{1,15}$/;

/** Decodes a sort key that is a whole number, such as a time in epoch milliseconds. Throws `invalid_request`. */
export function readNumberKey(key: string): number {
  // Accepts digits only, because PostgreSQL would fail the whole query for any other text.
  if (!WHOLE_NUMBER.test(key)) throw unknownPageToken();
  return Number(key);
}

/** Decodes the page token of a list that is sorted by time and then by id. Throws `invalid_request`. */
export function readCursor(request: PageRequest): { readonly at: number; readonly id: string } | undefined {
  const [at, id] = readPageToken(request, 2) ?? [];
  if (at === undefined || id === undefined) return undefined;
  return { at: readNumberKey(at), id };
}

/** Builds the token of the page that begins after the item with these sort keys. */
export const toPageToken = (keys: readonly string[]): string =>
  Buffer.from(JSON.stringify(keys)).toString('base64url');

/**
 * Builds a page from rows. The query must read one row more than the page holds, which shows whether a next page
 * exists.
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  request: PageRequest,
  options: {
    readonly keys: (row: Row) => string[];
    readonly item: (row: Row) => Item;
    /** Sort keys after which the next page begins. Set when a next page may exist although this page is not full. */
    readonly more?: readonly string[] | undefined;
  },
): Page<Item> {
  const pageRows = rows.slice(0, pageSizeOf(request));
  const last = pageRows.at(-1);
  const items = pageRows.map(options.item);
  const isFull = last !== undefined && rows.length > pageRows.length;
  const next = isFull ? options.keys(last) : options.more;
  return next === undefined ? { items } : { items, nextPageToken: toPageToken(next) };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
