import { Readable } from 'node:stream';
import type { FastifyInstance, onSendHookHandler } from 'fastify';

const SLICE = 64 * 1024;

function toSlices(bytes: Buffer): Readable {
  let sent = 0;
  return new Readable({
    highWaterMark: SLICE,
    read() {
      this.push(sent < bytes.length ? bytes.subarray(sent, sent + SLICE) : null);
      sent += SLICE;
    },
  });
}

const sliceAnswer: onSendHookHandler = (_request, reply, payload, done) => {
  const isHeld = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isHeld || payload.length <= SLICE) return done(null, payload);
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', bytes.length);
  done(null, toSlices(bytes));
};

/** Sends long answers slice by slice: whether a caller takes one that is written at once cannot be seen before its end. */
export function sliceAnswers(app: FastifyInstance): void {
  // Hooks of a route are the last: the others see the answer as it is.
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? [], sliceAnswer].flat();
  });
}
