import { invalid } from './api-error.js';
import type { Call, Version } from './call.js';
import { failureMessage, nullable, number, object, type Shape, text } from './shape.js';

export const pagingShapes: Readonly<Record<string, Shape>> = {
  page_size: number({ min: 1, max: 100, integer: true }),
  start_cursor: text({ min: 1 }),
};

/**
 * Paging fields of a request body. API versions with data sources also accept a null cursor, which the last page
 * returns.
 */
export const bodyPaging = ({ hasDataSources }: Version): Readonly<Record<string, Shape>> =>
  hasDataSources ? { ...pagingShapes, start_cursor: nullable(text({ min: 1 })) } : pagingShapes;

interface Paging {
  readonly page_size?: unknown;
  readonly start_cursor?: unknown;
}

interface ListOptions<Item> {
  type: string;
  paging: Paging;
  /** Returns the id of an item. A pagination cursor is the id of the first item on the next page. */
  idOf(item: Item): string;
  present(item: Item): unknown;
}

const DEFAULT_PAGE_SIZE = 100;

export function listPage<Item>(
  { requestId }: Call,
  items: readonly Item[],
  { type, paging, idOf, present }: ListOptions<Item>,
) {
  const { start_cursor: cursor, page_size: size } = paging;
  const start = typeof cursor === 'string' ? items.findIndex((item) => idOf(item) === cursor) : 0;
  if (start === -1) throw invalid(`The start_cursor provided is invalid: ${cursor}`);
  const end = start + (typeof size === 'number' ? size : DEFAULT_PAGE_SIZE);
  const next = items[end];
  return {
    object: 'list',
    results: items.slice(start, end).map(present),
    next_cursor: next === undefined ? null : idOf(next),
    has_more: next !== undefined,
    type,
    [type]: {},
    request_id: requestId,
  };
}

/** Validates query parameters. Parameters that are not in `fields` are ignored. */
export function readQuery(
  call: Call,
  fields: Readonly<Record<string, Shape>>,
  required: readonly string[] = [],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = call.query.get(name);
    if (value !== null) values[name] = name === 'page_size' ? numeric(value) : value;
  }
  const problems = object(fields, required)(values, 'query');
  if (problems.length > 0) throw invalid(failureMessage('query', problems));
  return values;
}

/**
 * Returns the properties that `filter_properties` selects. The parameter may be repeated, with or without brackets. Ids
 * arrive URL-decoded once.
 */
export function requestedColumns({ query }: Call): ReadonlySet<string> | undefined {
  const names = [...query.keys()].filter((name) => /^filter_properties(\[\d*\])?$/.test(name));
  const ids = [...new Set(names)].flatMap((name) => query.getAll(name));
  return ids.length === 0 ? undefined : new Set(ids);
}

export const readPaging = (call: Call): Paging => readQuery(call, pagingShapes);

function numeric(value: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
