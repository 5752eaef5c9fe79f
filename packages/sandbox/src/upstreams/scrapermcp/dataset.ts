import { isObject } from '../../json.js';
import type { Item } from './actor.js';

/** Fields by their dotted names, under those names; whole items when none are named. */
function pickFields(item: Item, fields: readonly string[]): Item {
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

/** What is left of items on their way out. */
export interface Trimming {
  readonly fields?: string | undefined;
  readonly omit?: string | undefined;
  /** Without the fields that begin with a number sign. */
  readonly skipHidden?: boolean | undefined;
  /** Without items that have no field left. */
  readonly skipEmpty?: boolean | undefined;
}

const namesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** The items of one page as they are sent; it may get shorter by those that are empty. */
export function trimItems(page: readonly Item[], { fields, omit, skipHidden, skipEmpty }: Trimming): Item[] {
  const [wanted, unwanted] = [namesIn(fields), namesIn(omit)];
  const isKept = (name: string) => !unwanted.includes(name) && !(skipHidden === true && name.startsWith('#'));
  return page
    .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => isKept(name))))
    .map((item) => pickFields(item, wanted))
    .filter((item) => skipEmpty !== true || Object.keys(item).length > 0);
}

export interface PageOptions extends Trimming {
  readonly offset: number;
  readonly limit: number;
}

/** A page of a dataset, as both generations of the server give it. */
export function datasetPage(
  datasetId: string,
  items: readonly Item[],
  { offset, limit, ...trimming }: PageOptions,
) {
  const page = trimItems(items.slice(offset, offset + limit), trimming);
  return {
    datasetId,
    items: page,
    itemCount: page.length,
    totalItemCount: items.length,
    offset,
    limit,
  };
}
