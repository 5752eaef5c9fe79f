import type { FastifyReply, FastifyRequest } from 'fastify';
import { limitCalls } from '../hot/limit-calls.js';
import type { RateLimiter } from '../tenants/rate-limiter.js';

/** Counts a call and says so in the answer. Throws rate_limited. */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply, key: string) => void;

export function limitRate(limiter: RateLimiter): LimitRate {
  const limit = limitCalls(limiter);
  return ({ raw }, reply, key) => {
    const answered = { ...reply.getHeaders() };
    try {
      limit(raw, answered, key);
    } finally {
      reply.headers(answered);
    }
  };
}
