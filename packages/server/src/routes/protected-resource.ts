import type { Catalog } from '@svc/catalog';
import type { FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../errors.js';

export interface ProtectedResourceParts {
  readonly catalog: Pick<Catalog, 'connectors'>;
  /** Of the service, without a slash at the end. */
  readonly environmentUrl: string;
}

const CACHE_CONTROL = 'public, max-age=300';

/** What MCP clients read to learn how the endpoint that sent them away is opened (RFC 9728). Public. */
export const protectedResourceRoutes =
  ({ catalog, environmentUrl }: ProtectedResourceParts): FastifyPluginAsync =>
  async (app) => {
    const documentOf = (path: string, name: string) => ({
      resource: `${environmentUrl}${path}`,
      resource_name: name,
      bearer_methods_supported: ['header'],
    });

    app.get('/.well-known/oauth-protected-resource/mcp', { schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', CACHE_CONTROL).send(documentOf('/mcp', 'Tools of all connectors')),
    );

    app.get<{ Params: { connector: string } }>(
      '/.well-known/oauth-protected-resource/mcp/:connector',
      { schema: { hide: true } },
      async ({ params }, reply) => {
        const connector = catalog.connectors.get(params.connector);
        if (!connector) throw new ServiceError('connector_not_found', 'There is no such connector.');
        return reply
          .header('cache-control', CACHE_CONTROL)
          .send(documentOf(`/mcp/${connector.id}`, `Tools of ${connector.title}`));
      },
    );
  };
