import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from '../../applications/origins.js';
import { readableBy } from '../../front/allow-origin.js';

/**
 * Makes the routes of `app` refuse requests from web pages whose origin the application has not registered. A token for
 * such a page would not work at /mcp. Origins of redirect URIs are not accepted, because MCP clients choose their
 * redirect URIs themselves.
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
      // The cast is safe, because the URLs of all routes that use this hook contain `:applicationId`.
      const { applicationId } = params as { readonly applicationId: string };
      await origins.checkOf(applicationId, origin);
      reply.headers(readableBy(origin));
    },
  );
}
