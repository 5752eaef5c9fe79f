import type { FastifyReply } from 'fastify';
import { isObject } from '../json.js';

export type Item = Readonly<Record<string, unknown>>;

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

const MOST_ITEMS = 250_000;

/** What is wrong with the format that a query asks for, if anything. */
export function formatFault(query: URLSearchParams): string | undefined {
  const format = query.get('format') ?? 'json';
  return ['json', 'jsonl'].includes(format) ? undefined : `The sandbox gives no items as ${format}.`;
}

/** How the options of a query are read; each host has its own errors for wrong ones. */
export interface Reading {
  count(name: string, fallback: number): number;
  flag(name: string): boolean;
}

/** The items that a query asks for, as they are sent, with what tells where they stand in the headers. */
export function writeItems(
  reply: FastifyReply,
  all: readonly Item[],
  { query, count, flag }: Reading & { readonly query: URLSearchParams },
): Item[] | string {
  const [offset, limit, desc] = [count('offset', 0), count('limit', MOST_ITEMS), flag('desc')];
  const page = trimItems((desc ? all.toReversed() : all).slice(offset, offset + limit), {
    fields: query.get('fields') ?? undefined,
    omit: query.get('omit') ?? undefined,
    skipHidden: flag('clean') || flag('skipHidden'),
    skipEmpty: flag('clean') || flag('skipEmpty'),
  });
  reply.headers({
    'x-apify-pagination-total': String(all.length),
    'x-apify-pagination-offset': String(offset),
    'x-apify-pagination-limit': String(limit),
    'x-apify-pagination-count': String(page.length),
    'x-apify-pagination-desc': String(desc),
  });
  if (query.get('format') !== 'jsonl') return page;
  reply.type('application/jsonl; charset=utf-8');
  return page.map((item) => `${JSON.stringify(item)}\n`).join('');
}
