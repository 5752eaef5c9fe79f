import fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { onTestFinished } from 'vitest';
import { errorReply } from '../../src/error-reply.js';
import type { Log } from '../../src/log.js';

const silent: Log = { info() {}, debug() {}, warn() {}, fault() {}, flush() {} };

/** An app with routes alone, for tests of those routes; unknown fields are refused as in the service. */
export async function createApp(...plugins: readonly FastifyPluginAsync[]): Promise<FastifyInstance> {
  const app = fastify({
    ajv: { customOptions: { removeAdditional: false } },
    routerOptions: { maxParamLength: 2048 },
  });
  onTestFinished(() => app.close());
  app.decorateRequest('applicationId', '');
  app.setErrorHandler(errorReply(silent));
  for (const plugin of plugins) await app.register(plugin);
  return app;
}
