import type { Catalog } from '@svc/catalog';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';
import type { AgentAccesses } from '../grants/agent-access.js';
import { AGENT_SCOPES } from '../names/agent-scopes.js';
import { agentMcpPath, agentIssuer } from '../names/agent-urls.js';

export interface ProtectedResourceParts {
  readonly catalog: Pick<Catalog, 'connectors'>;
  readonly agentAccesses: Pick<AgentAccesses, 'get'>;
  /** Of the service, without a slash at the end. */
  readonly environmentUrl: string;
}

interface Route {
  readonly Params: { readonly applicationId?: string; readonly connector?: string };
}

const CACHE_CONTROL = 'public, max-age=300';
const WELL_KNOWN = '/.well-known/oauth-protected-resource/mcp';
/** Those of whichever application a token is of, and those of one application, which says how its users sign in. */
const PATHS = [
  WELL_KNOWN,
  `${WELL_KNOWN}/:connector`,
  `${WELL_KNOWN}/apps/:applicationId`,
  `${WELL_KNOWN}/apps/:applicationId/:connector`,
];

/** What MCP clients read to learn how the endpoint that sent them away is opened (RFC 9728). Public. */
export const protectedResourceRoutes =
  ({ catalog, agentAccesses, environmentUrl }: ProtectedResourceParts): FastifyPluginAsync =>
  async (app) => {
    function findConnector(id: string) {
      const connector = catalog.connectors.get(id);
      if (connector) return connector;
      throw new ServiceError('connector_not_found', 'There is no such connector.');
    }

    async function signInOf(applicationId: string) {
      await agentAccesses.get(applicationId);
      return {
        authorization_servers: [agentIssuer(environmentUrl, applicationId)],
        scopes_supported: AGENT_SCOPES,
      };
    }

    async function answer({ applicationId, connector: id }: Route['Params'], reply: FastifyReply) {
      const connector = id === undefined ? undefined : findConnector(id);
      const own = id === undefined ? '/mcp' : `/mcp/${id}`;
      const door = applicationId === undefined ? own : agentMcpPath(applicationId, id);
      return reply.header('cache-control', CACHE_CONTROL).send({
        resource: environmentUrl + door,
        resource_name: connector ? `Tools of ${connector.title}` : 'Tools of all connectors',
        bearer_methods_supported: ['header'],
        ...(applicationId !== undefined && (await signInOf(applicationId))),
      });
    }

    for (const path of PATHS)
      app.get<Route>(path, { schema: { hide: true } }, ({ params }, reply) => answer(params, reply));
  };
