import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.js';

const schema = { hide: true };

/** Adds liveness, which ignores the database, and readiness, which needs it. Readiness ends when the service begins to stop. */
export function addHealthRoutes(
  app: FastifyInstance,
  {
    ping,
    isReady,
  }: {
    /** Resolves when the database takes writes. */
    readonly ping: () => Promise<void>;
    /** True when the bootstrap of a first start is done. */
    readonly isReady: () => boolean;
  },
): void {
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema }, async () => {
    if (app.isStopping()) throw new ServiceError('unavailable', 'The service is stopping.');
    if (!isReady()) throw new ServiceError('unavailable', 'The service is starting. Try again shortly.');
    await ping();
    return { status: 'ready' };
  });
}
