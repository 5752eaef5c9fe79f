import type { FastifyPluginAsync } from 'fastify';
import type { AgentAccesses } from '../../grants/agent-access.js';
import { EXCHANGE_GRANT } from '../../grants/exchange-token.js';
import { AGENT_SCOPES } from '../../names/agent-scopes.js';
import { agentIssuer } from '../../names/agent-urls.js';

export interface AgentMetadataParts {
  readonly agentAccesses: Pick<AgentAccesses, 'get'>;
  /** Of the service, without a slash at the end. */
  readonly environmentUrl: string;
}

const CACHE_CONTROL = 'public, max-age=300';

/** What MCP clients read of an application's authorization server (RFC 8414). Public. */
export const agentMetadataRoutes =
  ({ agentAccesses, environmentUrl }: AgentMetadataParts): FastifyPluginAsync =>
  async (app) => {
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
  };
