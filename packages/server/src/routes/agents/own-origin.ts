import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from '../../applications/origins.js';
import { readableBy } from '../../front/allow-origin.js';

/**
 * Makes the routes of `app` refuse pages of other origins than the application registered, because their tokens would not work at
 * /mcp. Origins of redirect URIs are not enough, because clients choose those when they register.
 */
export function requireOwnOrigin(
  app: FastifyInstance,
  { origins }: { readonly origins: Pick<Origins, 'checkOf'> },
): void {
  app.addHook(
    'onRequest',
    async function checkOrigin({ headers, params }: FastifyRequest, reply: FastifyReply) {
      const { origin } = headers;
      if (origin === undefined) return;
      // All routes of these scopes have the parameter.
      const { applicationId } = params as { readonly applicationId: string };
      await origins.checkOf(applicationId, origin);
      reply.headers(readableBy(origin));
    },
  );
}
