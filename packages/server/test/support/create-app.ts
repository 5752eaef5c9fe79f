import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { createCallers } from '../../src/caller.js';
import { createHttpServer } from '../../src/listener/http-server.js';
import type { Log } from '../../src/log/log.js';

export const silent: Log = { info() {}, debug() {}, warn() {}, answered() {}, fault() {}, flush() {} };

type AddRoutes = (app: FastifyInstance) => void | Promise<void>;

/** The service's HTTP server with these routes alone, each in a scope of its own. */
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
