import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { SLICE, toSlices } from './slices.js';

const sliceAnswer: onSendHookHandler = (_request, reply, payload, done) => {
  const isHeld = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isHeld || payload.length <= SLICE) return done(null, payload);
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', bytes.length);
  done(null, toSlices(bytes));
};

/** Sends long answers slice by slice. */
export function sliceAnswers(app: FastifyInstance): void {
  // Hooks of a route are the last: the others see the answer as it is.
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? [], sliceAnswer].flat();
  });
}
