import { isObject } from '../../json.js';
import type { Item } from './actor.js';

/** Fields by their dotted names, under those names; whole items when none are named. */
export function pickFields(item: Item, fields: readonly string[]): Item {
  if (fields.length === 0) return item;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = field
        .split('.')
        .reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), item);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

export interface PageOptions {
  readonly fields?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of a dataset, as both generations of the server give it. */
export function datasetPage(
  datasetId: string,
  items: readonly Item[],
  { fields, offset, limit }: PageOptions,
) {
  const names = (fields ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const page = items.slice(offset, offset + limit).map((item) => pickFields(item, names));
  return {
    datasetId,
    items: page,
    itemCount: page.length,
    totalItemCount: items.length,
    offset,
    limit,
  };
}
