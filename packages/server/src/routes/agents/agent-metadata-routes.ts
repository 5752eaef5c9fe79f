import type { FastifyInstance } from 'fastify';
import type { AgentAccesses } from '../../grants/agent-access.js';
import { EXCHANGE_GRANT } from '../../grants/exchange-token.js';
import { AGENT_SCOPES } from '../../names/agent-scopes.js';
import { agentIssuer } from '../../names/agent-urls.js';
import { basePathOf } from '../../text/base-path.js';

const CACHE_CONTROL = 'public, max-age=300';

interface Route {
  readonly Params: { readonly applicationId: string };
}

const METADATA = '/.well-known/oauth-authorization-server';
const OPEN_ID = '/.well-known/openid-configuration';
const ISSUER = '/agents/:applicationId';

const KEYS = '/keys';

/**
 * Metadata fields that OpenID Connect requires. The key set is empty, because this authorization server issues no ID
 * tokens.
 */
const withoutIdTokens = (issuer: string) => ({
  jwks_uri: issuer + KEYS,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [],
});

/**
 * Paths of the authorization server metadata. RFC 8414 inserts the well-known part before the path of the issuer, so
 * clients ask at the root of the host. A reverse proxy that forwards only `/svc` never passes such a request on.
 * Clients then try the well-known part after the issuer, as OpenID Connect defines.
 */
const metadataPaths = (basePath: string): readonly string[] =>
  basePath === ''
    ? [METADATA + ISSUER]
    : [METADATA + ISSUER, METADATA + basePath + ISSUER, ISSUER + METADATA, ISSUER + OPEN_ID];

/** Adds the public metadata of an application's authorization server, which MCP clients fetch (RFC 8414). */
export function addAgentMetadataRoute(
  app: FastifyInstance,
  {
    agentAccesses,
    environmentUrl,
  }: {
    readonly agentAccesses: Pick<AgentAccesses, 'get'>;
    /** Public URL of the service without a trailing slash. */
    readonly environmentUrl: string;
  },
): void {
  for (const url of metadataPaths(basePathOf(environmentUrl)))
    app.get<Route>(url, { schema: { hide: true } }, async ({ params: { applicationId } }, reply) => {
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
        ...(url.endsWith(OPEN_ID) && withoutIdTokens(issuer)),
      });
    });
  if (basePathOf(environmentUrl) !== '')
    app.get(ISSUER + KEYS, { schema: { hide: true } }, async () => ({ keys: [] }));
}
