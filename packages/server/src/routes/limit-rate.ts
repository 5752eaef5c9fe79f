import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitCalls } from '../front/limit-calls.js';

/**
 * Counts a call against a rate limit and adds the rate limit headers to the response. Throws rate_limited when the
 * limit is exceeded.
 */
export type LimitRate<Key = string> = (request: FastifyRequest, reply: FastifyReply, key: Key) => void;

export function limitRate<Key>(limit: LimitCalls<Key>): LimitRate<Key> {
  return function limitRequest({ raw }, reply, key) {
    const headers = { ...reply.getHeaders() };
    try {
      limit(raw, headers, key);
    } finally {
      reply.headers(headers);
    }
  };
}
