import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { createCallers } from '../../../src/caller.js';
import { createHttpServer } from '../../../src/listener/http-server.js';
import type { Log } from '../../../src/log/log.js';

export const silent: Log = { info() {}, debug() {}, warn() {}, request() {}, fault() {}, flush() {} };

type AddRoutes = (app: FastifyInstance) => void | Promise<void>;

/**
 * Creates the service's HTTP server with only these routes. Each function registers its routes in a separate Fastify
 * scope.
 */
export async function createApp(...routes: readonly AddRoutes[]): Promise<FastifyInstance> {
  const app = await createHttpServer({
    log: silent,
    environmentUrl: 'https://svc.example.com',
    trustedProxies: [],
    version: '0.0.0',
    callers: createCallers(),
  });
  onTestFinished(() => app.close());
  for (const add of routes) await app.register(add);
  return app;
}
