import type { FastifyInstance, FastifySchema } from 'fastify';
import { ServiceError } from '../errors.js';
import { closed, named } from '../listener/list-schema.js';

const state = (title: string, status: string) =>
  named(title, closed({ status: { type: 'string', enum: [status] } }));

const ALIVE: FastifySchema = {
  operationId: 'getLiveness',
  tags: ['health'],
  summary: 'Check that the process is alive',
  description: 'Checks only the process, not the database.',
  security: [],
  response: { 200: state('Liveness', 'ok') },
};
const READY: FastifySchema = {
  operationId: 'getReadiness',
  tags: ['health'],
  summary: 'Check that this instance should get traffic',
  description:
    'Responds with status 503 while the service starts or stops, and while the database accepts no writes.',
  security: [],
  response: { 200: state('Readiness', 'ready') },
};
const FRESH_MS = 1000;

/**
 * Shares one database check among all requests of a second, because the route is public and each check writes a row.
 * Failed checks are not cached.
 */
function createSharedCheck(check: () => Promise<void>, now: () => number): () => Promise<void> {
  let last: { readonly result: Promise<void>; readonly until: number } | undefined;
  return () => {
    if (last !== undefined && now() < last.until) return last.result;
    const result = check();
    last = { result, until: now() + FRESH_MS };
    result.catch(() => {
      last = undefined;
    });
    return result;
  };
}

/**
 * Adds the routes for liveness, which ignores the database, and for readiness, which requires it. Readiness fails as
 * soon as the service begins to stop.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  {
    ping,
    isReady,
    now,
  }: {
    /** Resolves if the database accepts writes. Rejects otherwise. */
    readonly ping: () => Promise<void>;
    /** Returns true when the start is complete, including the bootstrap that a first start runs. */
    readonly isReady: () => boolean;
    readonly now: () => number;
  },
): void {
  const checkWrites = createSharedCheck(ping, now);
  app.get('/healthz', { schema: ALIVE }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: READY }, async () => {
    if (app.isStopping())
      throw new ServiceError(
        'unavailable',
        'This instance of the service is stopping. Retry in a few seconds.',
      );
    if (!isReady())
      throw new ServiceError(
        'unavailable',
        'This instance of the service is starting. Retry in a few seconds.',
      );
    await checkWrites();
    return { status: 'ready' };
  });
}
