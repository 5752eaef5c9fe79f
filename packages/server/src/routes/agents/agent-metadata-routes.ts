import type { FastifyInstance } from 'fastify';
import type { AgentAccesses } from '../../grants/agent-access.js';
import { EXCHANGE_GRANT } from '../../grants/exchange-token.js';
import { AGENT_SCOPES } from '../../names/agent-scopes.js';
import { agentIssuer } from '../../names/agent-urls.js';

const CACHE_CONTROL = 'public, max-age=300';

/** Adds the public metadata of an application's authorization server for MCP clients (RFC 8414). */
export function addAgentMetadataRoute(
  app: FastifyInstance,
  {
    agentAccesses,
    environmentUrl,
  }: {
    readonly agentAccesses: Pick<AgentAccesses, 'get'>;
    /** URL of the service without a trailing slash. */
    readonly environmentUrl: string;
  },
): void {
  app.get<{ Params: { readonly applicationId: string } }>(
    '/.well-known/oauth-authorization-server/agents/:applicationId',
    { schema: { hide: true } },
    async ({ params: { applicationId } }, reply) => {
      const { registration } = await agentAccesses.get(applicationId);
      const issuer = agentIssuer(environmentUrl, applicationId);
      return reply.header('cache-control', CACHE_CONTROL).send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        revocation_endpoint: `${issuer}/revoke`,
        ...(registration && { registration_endpoint: `${issuer}/register` }),
        scopes_supported: AGENT_SCOPES,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token', EXCHANGE_GRANT],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      });
    },
  );
}
