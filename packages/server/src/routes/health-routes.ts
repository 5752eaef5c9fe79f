import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.js';

const schema = { hide: true };
const FRESH_MS = 1000;

/** Shares one check among the callers of a second, because anyone may call and each check writes. Failures are not kept. */
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

/** Adds liveness, which ignores the database, and readiness, which needs it. Readiness ends when the service begins to stop. */
export function addHealthRoutes(
  app: FastifyInstance,
  {
    ping,
    isReady,
    now,
  }: {
    /** Resolves when the database takes writes. */
    readonly ping: () => Promise<void>;
    /** True when the bootstrap of a first start is done. */
    readonly isReady: () => boolean;
    readonly now: () => number;
  },
): void {
  const checkWrites = createSharedCheck(ping, now);
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema }, async () => {
    if (app.isStopping()) throw new ServiceError('unavailable', 'The service is stopping.');
    if (!isReady()) throw new ServiceError('unavailable', 'The service is starting. Try again shortly.');
    await checkWrites();
    return { status: 'ready' };
  });
}
