import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addMcpEndpoint, rpcFailure } from '../../mcp/endpoint.js';
import { createMcpServer } from '../../mcp/server.js';
import type { AuthorizationServer } from '../../oauth/authorization-server.js';
import { perPerson, personById } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { createAccount } from './account.js';
import {
  addNotesOAuth,
  ISSUER_PATH,
  notesOAuth,
  REGISTRATION_PATH,
  RESOURCE_PATH,
  RESOURCE_SCOPE,
} from './oauth.js';
import { notesTools } from './tools.js';

export const notesmcp: OAuthUpstream = {
  id: 'notesmcp',
  title: 'Meeting notes',
  oauth: notesOAuth,
  rateLimit: { requests: 100, perSeconds: 60 },
  failure: (status) => rpcFailure({ code: -32000, message: `The server returned ${status}.` }),
  mount(app, { authorizationServer, clock, dials, root }) {
    const accounts = perPerson((person) => createAccount(person, clock.now));
    addMetadata(app, root, authorizationServer.baseUrl);
    addNotesOAuth(app, authorizationServer);
    const sessions = addMcpEndpoint(app, {
      path: RESOURCE_PATH,
      caller: (request, reply) => callerOf(authorizationServer, request, reply),
      createServer(caller) {
        const person = personById(caller);
        const tools = person === undefined ? [] : notesTools(accounts.of(person));
        return createMcpServer({ name: 'Granola', version: '1.4.0', tools });
      },
      respondsWithJson: () => dials().mcpResponses === 'json',
      isStateless: () => dials().mcpSpeaks === 'stateless',
    });
    return {
      reset() {
        accounts.reset();
        sessions.end();
      },
    };
  },
};

async function callerOf(
  { access, baseUrl }: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  const metadata = `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}"`;
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return challenge(reply, 401, metadata);
  const accessToken = await access(token);
  if (accessToken === undefined || accessToken.audience !== baseUrl + RESOURCE_PATH)
    return challenge(reply, 401, `error="invalid_token", ${metadata}`);
  if (!accessToken.scopes.has(RESOURCE_SCOPE))
    return challenge(reply, 403, `error="insufficient_scope", scope="${RESOURCE_SCOPE}", ${metadata}`);
  return accessToken.person.id;
}

function challenge(reply: FastifyReply, status: 401 | 403, parameters: string): undefined {
  const message = status === 401 ? 'Unauthorized' : 'Forbidden';
  reply.code(status).header('www-authenticate', `Bearer ${parameters}`);
  reply.send(rpcFailure({ code: -32001, message }));
}

const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Builds a metadata path with the well-known name before the resource path, as RFC 8414 and RFC 9728 require. */
const inserted = (name: string, address: string): string => {
  const { pathname } = new URL(address);
  return `/.well-known/${name}${pathname}`;
};

const openId = (issuer: string) => ({
  jwks_uri: `${issuer}/oauth2/jwks`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
});

/** Adds the OAuth metadata documents, through which an MCP client discovers the authorization server. */
function addMetadata(app: FastifyInstance, root: FastifyInstance, baseUrl: string): void {
  const resource = {
    resource: baseUrl + RESOURCE_PATH,
    authorization_servers: [baseUrl + ISSUER_PATH],
    scopes_supported: [RESOURCE_SCOPE],
    bearer_methods_supported: ['header'],
  };
  const { authorization, token, revocation } = notesOAuth.paths;
  const server = {
    issuer: baseUrl + ISSUER_PATH,
    authorization_endpoint: baseUrl + authorization,
    token_endpoint: baseUrl + token,
    registration_endpoint: baseUrl + REGISTRATION_PATH,
    revocation_endpoint: baseUrl + revocation,
    scopes_supported: Object.keys(notesOAuth.scopes),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
    ...openId(baseUrl + ISSUER_PATH),
  };
  for (const path of [RESOURCE_METADATA_PATH, RESOURCE_METADATA_PATH + RESOURCE_PATH])
    app.get(path, async () => resource);
  root.get(inserted('oauth-protected-resource', resource.resource), async () => resource);
  for (const name of ['openid-configuration', 'oauth-authorization-server'])
    app.get(`${ISSUER_PATH}/.well-known/${name}`, async () => server);
  for (const name of ['openid-configuration', 'oauth-authorization-server'])
    root.get(inserted(name, server.issuer), async () => server);
}
