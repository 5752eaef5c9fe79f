import type { FastifyReply } from 'fastify';

/** Aborts when the caller goes away before its reply is complete. */
export function callerSignal({ raw }: FastifyReply): AbortSignal {
  const caller = new AbortController();
  raw.once('close', () => {
    // An abort makes an exception with a stack: too dear for every call that ends well.
    if (!raw.writableFinished) caller.abort();
  });
  return caller.signal;
}

/** Resolves when the reply is complete, or the caller gone. */
export const whenClosed = ({ raw }: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    raw.once('close', resolve);
  });
