import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, queueFull } from './api-error.js';

const CONCURRENT = 5;
const QUEUED = 10;

/** Counts the requests of each key that are under way, and refuses those for which neither plan nor queue has room. */
export function createConcurrencyLimit() {
  const underWay = new Map<string, number>();
  return async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const key = String(headers['x-api-key']);
    const count = underWay.get(key) ?? 0;
    if (count >= CONCURRENT + QUEUED) return reply.code(429).send(errorBody(queueFull()));
    underWay.set(key, count + 1);
    reply.raw.once('close', () => underWay.set(key, (underWay.get(key) ?? 1) - 1));
    return undefined;
  };
}
