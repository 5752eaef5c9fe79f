import type { FastifyReply } from 'fastify';
import { formatFault, type Item, writeItems } from '../../apify/dataset-items.js';

const COUNTS = ['offset', 'limit', 'maxItems', 'timeout', 'memory'];

/** What is wrong with the options of a run and its items, if anything. */
export function optionFault(query: URLSearchParams): string | undefined {
  const wrong = COUNTS.find((name) => query.has(name) && !/^\d{1,9}$/.test(query.get(name) ?? ''));
  return wrong === undefined ? formatFault(query) : `Parameter ${wrong} has to be a whole number.`;
}

/** The items of a run that a query asks for. */
export function sendItems(reply: FastifyReply, all: readonly Item[], query: URLSearchParams): FastifyReply {
  const count = (name: string, fallback: number) => Number(query.get(name) ?? fallback);
  const flag = (name: string) => ['1', 'true'].includes(query.get(name) ?? '');
  const done = all.slice(0, count('maxItems', all.length));
  return reply.code(201).send(writeItems(reply, done, { query, count, flag }));
}
