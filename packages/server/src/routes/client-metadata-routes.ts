import type { FastifyInstance } from 'fastify';
import type { ClientMetadata } from '../authorization/client-metadata.js';
import { ServiceError } from '../errors.js';

const CACHE_CONTROL = 'public, max-age=300';

/**
 * Adds the public OAuth client metadata documents of connections, which authorization servers of MCP servers fetch.
 */
export function addClientMetadataRoute(
  app: FastifyInstance,
  { clientMetadata }: { readonly clientMetadata: ClientMetadata },
): void {
  app.get<{ Params: { connectionId: string } }>(
    '/sso/v1/oauth/:connectionId/client-metadata',
    { schema: { hide: true } },
    async (request, reply) => {
      const document = clientMetadata.documentOf(request.params.connectionId);
      if (document === undefined) {
        throw new ServiceError(
          'not_found',
          'There is no client metadata document at this URL. Use the client id from the authorization request as the URL.',
        );
      }
      return reply.header('cache-control', CACHE_CONTROL).send(document);
    },
  );
}
