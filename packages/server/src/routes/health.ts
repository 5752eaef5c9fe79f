import type { FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../errors.js';

export interface HealthParts {
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
}

const schema = { hide: true };

/** Liveness does not depend on the database; readiness does, and ends when the service is about to stop. */
export const healthRoutes =
  ({ ping }: HealthParts): FastifyPluginAsync =>
  async (app) => {
    let isClosing = false;
    app.addHook('preClose', async () => {
      isClosing = true;
    });
    app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
    app.get('/readyz', { schema }, async () => {
      if (isClosing) throw new ServiceError('unavailable', 'The service is stopping.');
      await ping();
      return { status: 'ready' };
    });
  };
