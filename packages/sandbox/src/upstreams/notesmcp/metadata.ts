import type { FastifyInstance } from 'fastify';
import { ISSUER_PATH, notesOAuth, REGISTRATION_PATH, RESOURCE_PATH, RESOURCE_SCOPE } from './oauth.js';

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The name of a document that stands in front of the path it is about, as the standards want it. */
const inserted = (name: string, address: string): string => {
  const { pathname } = new URL(address);
  return `/.well-known/${name}${pathname}`;
};

/** What an OpenID provider has to say beside what an authorization server does. */
const openId = (issuer: string) => ({
  jwks_uri: `${issuer}/oauth2/jwks`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
});

/** The documents by which a client finds its way from the resource to the authorization server. */
export function addMetadata(app: FastifyInstance, root: FastifyInstance, baseUrl: string): void {
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
