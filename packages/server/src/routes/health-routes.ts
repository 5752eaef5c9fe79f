import type { FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../errors.js';

export interface HealthParts {
  /** Resolves when the database takes writes. */
  readonly ping: () => Promise<void>;
  /** Whether everything that a first start makes is there. */
  readonly isReady: () => boolean;
}

const schema = { hide: true };

/** Liveness does not depend on the database. Readiness does, begins with the first application and ends when the service is to stop. */
export const healthRoutes =
  ({ ping, isReady }: HealthParts): FastifyPluginAsync =>
  async (app) => {
    app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
    app.get('/readyz', { schema }, async () => {
      if (app.isStopping()) throw new ServiceError('unavailable', 'The service is stopping.');
      if (!isReady()) throw new ServiceError('unavailable', 'The service is starting. Try again shortly.');
      await ping();
      return { status: 'ready' };
    });
  };
