import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { onTestFinished } from 'vitest';
import { createCallers } from '../../src/caller.js';
import { createHttpServer } from '../../src/listener/http-server.js';
import type { Log } from '../../src/log/log.js';

export const silent: Log = { info() {}, debug() {}, warn() {}, answered() {}, fault() {}, flush() {} };

/** The service's HTTP server with these routes alone. */
export async function createApp(...plugins: readonly FastifyPluginAsync[]): Promise<FastifyInstance> {
  const app = await createHttpServer({
    log: silent,
    environmentUrl: 'https://svc.example.com',
    trustedProxies: [],
    version: '0.0.0',
    callers: createCallers(),
  });
  onTestFinished(() => app.close());
  for (const plugin of plugins) await app.register(plugin);
  return app;
}
