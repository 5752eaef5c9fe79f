import type { AuthorizationServer } from './authorization-server.js';
import { isSameIssuer, requiredEndpointIn, textsOf } from './discover.js';
import {
  type CheckedUrl,
  checkUrl,
  type MetadataAccess,
  readMetadata,
  unusable,
} from './metadata-document.js';

const ISSUER: CheckedUrl = {
  what: 'The issuer',
  advice: 'Set `openId.issuer` to the https URL of the issuer, with PUT /v1/agent-access.',
};

export function createDiscoverIssuer({ fetch, problemOf }: Pick<MetadataAccess, 'fetch' | 'problemOf'>) {
  /** Reads the metadata of an OpenID Connect issuer and returns it as an authorization server. Throws OAuthError. */
  async function discoverIssuer(issuer: string, connector: string): Promise<AuthorizationServer> {
    const access = { fetch, problemOf, connector };
    checkUrl(ISSUER, issuer, access);
    const document = await readMetadata(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      access,
    );
    if (document === undefined)
      throw unusable(
        'The issuer publishes no OpenID Connect metadata. The developer of the application must set `openId.issuer` to an issuer that publishes the metadata, with PUT /v1/agent-access.',
      );
    // The metadata must name the expected issuer. Otherwise another server could pose as the issuer and receive its
    // codes.
    const { issuer: documentIssuer } = document;
    if (typeof documentIssuer !== 'string' || !isSameIssuer(documentIssuer, issuer))
      throw unusable(
        'The OpenID Connect metadata names another issuer than `openId.issuer`. The developer of the application must set `openId.issuer` to exactly the issuer that the metadata names, with PUT /v1/agent-access.',
      );
    const methods = textsOf(document['token_endpoint_auth_methods_supported']);
    const takesBasic = methods.length === 0 || methods.includes('client_secret_basic');
    return {
      connector,
      issuer: documentIssuer,
      authorizationEndpoint: requiredEndpointIn(document, 'authorization_endpoint', access),
      tokenEndpoint: requiredEndpointIn(document, 'token_endpoint', access),
      revocationEndpoint: undefined,
      authorizationParameters: {},
      tokenRequest: { body: 'form', clientAuthentication: takesBasic ? 'basic' : 'body', headers: {} },
      sendsIssuer: document['authorization_response_iss_parameter_supported'] === true,
    };
  }
  return discoverIssuer;
}
