import type { Catalog } from '@svc/catalog';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../errors.js';
import type { AgentAccesses } from '../grants/agent-access.js';
import { AGENT_SCOPES } from '../names/agent-scopes.js';
import { agentIssuer, agentMcpPath } from '../names/agent-urls.js';
import { basePathOf } from '../text/base-path.js';

interface Route {
  readonly Params: { readonly applicationId?: string; readonly connector?: string };
}

const CACHE_CONTROL = 'public, max-age=300';
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/**
 * Paths of the MCP endpoints. `/mcp` accepts the tokens of every application. At an endpoint of one application
 * (`/mcp/apps/…`), MCP clients can sign in the users of this application.
 */
const ENDPOINTS = [
  '/mcp',
  '/mcp/:connector',
  '/mcp/apps/:applicationId',
  '/mcp/apps/:applicationId/:connector',
];

/**
 * Paths of the resource metadata. RFC 9728 puts the endpoint's whole path after the well-known part, at the root of the
 * host.
 */
function metadataPaths(basePath: string): readonly string[] {
  const prefixes = [...new Set([WELL_KNOWN, WELL_KNOWN + basePath])];
  return prefixes.flatMap((prefix) => ENDPOINTS.map((endpoint) => prefix + endpoint));
}

interface ProtectedResourceParts {
  readonly catalog: Pick<Catalog, 'connectors'>;
  readonly agentAccesses: Pick<AgentAccesses, 'get'>;
  /** Public URL of the service without a trailing slash. */
  readonly environmentUrl: string;
}

/** Adds the public metadata of the MCP endpoints (RFC 9728), from which MCP clients learn where to get a token. */
export function addProtectedResourceRoutes(
  app: FastifyInstance,
  { catalog, agentAccesses, environmentUrl }: ProtectedResourceParts,
): void {
  function findConnector(id: string) {
    const connector = catalog.connectors.get(id);
    if (connector) return connector;
    throw new ServiceError(
      'connector_not_found',
      'The connector does not exist. GET /v1/connectors lists the connectors.',
    );
  }

  async function authorizationOf(applicationId: string) {
    await agentAccesses.get(applicationId);
    return {
      authorization_servers: [agentIssuer(environmentUrl, applicationId)],
      scopes_supported: AGENT_SCOPES,
    };
  }

  async function sendMetadata({ applicationId, connector: id }: Route['Params'], reply: FastifyReply) {
    const connector = id === undefined ? undefined : findConnector(id);
    const path = id === undefined ? '/mcp' : `/mcp/${id}`;
    const endpoint = applicationId === undefined ? path : agentMcpPath(applicationId, id);
    return reply.header('cache-control', CACHE_CONTROL).send({
      resource: environmentUrl + endpoint,
      resource_name: connector ? `Tools of ${connector.title}` : 'Tools of all connectors',
      bearer_methods_supported: ['header'],
      ...(applicationId !== undefined && (await authorizationOf(applicationId))),
    });
  }

  for (const url of metadataPaths(basePathOf(environmentUrl)))
    app.get<Route>(url, { schema: { hide: true } }, ({ params }, reply) => sendMetadata(params, reply));
}
