import type { FastifyReply } from 'fastify';

/** Aborts when the connection of the caller ends, be it before or after the reply. */
export function callerSignal(reply: FastifyReply): AbortSignal {
  const caller = new AbortController();
  reply.raw.once('close', () => caller.abort());
  return caller.signal;
}
