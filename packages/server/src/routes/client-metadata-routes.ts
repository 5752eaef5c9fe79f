import type { FastifyPluginAsync } from 'fastify';
import type { ClientMetadata } from '../authorization/client-metadata.js';
import { ServiceError } from '../errors.js';

export interface ClientMetadataRouteParts {
  readonly clientMetadata: ClientMetadata;
}

const CACHE_CONTROL = 'public, max-age=300';

/** What authorization servers of MCP servers read to learn what a connection is as their client. Public. */
export const clientMetadataRoutes =
  ({ clientMetadata }: ClientMetadataRouteParts): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Params: { connectionId: string } }>(
      '/sso/v1/oauth/:connectionId/client-metadata',
      { schema: { hide: true } },
      async (request, reply) => {
        const document = clientMetadata.documentOf(request.params.connectionId);
        if (document === undefined) {
          throw new ServiceError('not_found', 'This service publishes no client metadata here.');
        }
        return reply.header('cache-control', CACHE_CONTROL).send(document);
      },
    );
  };
