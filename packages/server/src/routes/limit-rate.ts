import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitCalls } from '../front/limit-calls.js';

/** Counts a call and says so in the answer. Throws rate_limited. */
export type LimitRate<Key = string> = (request: FastifyRequest, reply: FastifyReply, key: Key) => void;

export function limitRate<Key>(limit: LimitCalls<Key>): LimitRate<Key> {
  return ({ raw }, reply, key) => {
    const answered = { ...reply.getHeaders() };
    try {
      limit(raw, answered, key);
    } finally {
      reply.headers(answered);
    }
  };
}
