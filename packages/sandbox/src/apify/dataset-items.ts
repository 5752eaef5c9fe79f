import type { FastifyReply } from 'fastify';
import { isObject } from '../json.js';

export type Item = Readonly<Record<string, unknown>>;

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

export interface Trimming {
  readonly fields?: string | undefined;
  readonly omit?: string | undefined;
  /** Omits item fields whose names begin with `#`. Apify calls them hidden fields. */
  readonly skipHidden?: boolean | undefined;
  readonly skipEmpty?: boolean | undefined;
}

const namesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export function trimItems(page: readonly Item[], { fields, omit, skipHidden, skipEmpty }: Trimming): Item[] {
  const [wanted, unwanted] = [namesIn(fields), namesIn(omit)];
  const isIncluded = (name: string) =>
    !unwanted.includes(name) && !(skipHidden === true && name.startsWith('#'));
  return page
    .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => isIncluded(name))))
    .map((item) => pickFields(item, wanted))
    .filter((item) => skipEmpty !== true || Object.keys(item).length > 0);
}

const MOST_ITEMS = 250_000;

export function formatFault(query: URLSearchParams): string | undefined {
  const format = query.get('format') ?? 'json';
  return ['json', 'jsonl'].includes(format)
    ? undefined
    : `The sandbox does not emulate the format ${format}. Use json or jsonl.`;
}

export interface Reading {
  count(name: string, fallback: number): number;
  flag(name: string): boolean;
}

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
