import type { FastifyReply } from 'fastify';

type Item = Readonly<Record<string, unknown>>;

const COUNTS = ['offset', 'limit', 'maxItems', 'timeout', 'memory'];
const MOST = 1_000_000;

const namesIn = (query: URLSearchParams, option: string): readonly string[] =>
  (query.get(option) ?? '').split(',').flatMap((name) => name.trim() || []);

/** What is wrong with the options of a run and its items, if anything. */
export function optionFault(query: URLSearchParams): string | undefined {
  const wrong = COUNTS.find((name) => query.has(name) && !/^\d{1,9}$/.test(query.get(name) ?? ''));
  if (wrong !== undefined) return `Parameter ${wrong} has to be a whole number.`;
  const format = query.get('format') ?? 'json';
  return format === 'json' || format === 'jsonl' ? undefined : `The sandbox gives no items as ${format}.`;
}

/** The items that a query asks for, with what tells where they stand in the headers. */
export function sendItems(reply: FastifyReply, all: readonly Item[], query: URLSearchParams) {
  const count = (name: string, fallback: number) => Number(query.get(name) ?? fallback);
  const [offset, limit] = [count('offset', 0), count('limit', MOST)];
  const done = all.slice(0, count('maxItems', MOST));
  const isReversed = ['1', 'true'].includes(query.get('desc') ?? '');
  const [fields, omitted] = [namesIn(query, 'fields'), namesIn(query, 'omit')];
  const isKept = (name: string) => (fields.length === 0 || fields.includes(name)) && !omitted.includes(name);
  const page = (isReversed ? done.toReversed() : done)
    .slice(offset, offset + limit)
    .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => isKept(name))));
  reply.code(201).headers({
    'x-apify-pagination-total': done.length,
    'x-apify-pagination-offset': offset,
    'x-apify-pagination-count': page.length,
    'x-apify-pagination-limit': limit,
  });
  if (query.get('format') !== 'jsonl') return reply.send(page);
  const lines = page.map((item) => `${JSON.stringify(item)}\n`).join('');
  return reply.type('application/jsonl; charset=utf-8').send(lines);
}
