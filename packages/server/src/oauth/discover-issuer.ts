import type { AuthorizationServer } from './authorization-server.js';
import { requiredEndpointIn, textsOf } from './discover.js';
import { checkUrl, type MetadataParts, readMetadata, unusable } from './metadata-document.js';

/** Finds where an OpenID Connect issuer signs people in. Throws OAuthError. */
export type DiscoverIssuer = (issuer: string, connector: string) => Promise<AuthorizationServer>;

export const createDiscoverIssuer =
  (given: Omit<MetadataParts, 'connector'>): DiscoverIssuer =>
  async (issuer, connector) => {
    const parts = { ...given, connector };
    checkUrl('The issuer', issuer, parts);
    const document = await readMetadata(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      parts,
    );
    if (document === undefined) throw unusable('The issuer has no metadata.');
    // Letter by letter: a server that may speak for another issuer could have codes sent to itself.
    if (document['issuer'] !== issuer) throw unusable('The metadata is of another issuer.');
    const methods = textsOf(document['token_endpoint_auth_methods_supported']);
    const takesBasic = methods.length === 0 || methods.includes('client_secret_basic');
    return {
      connector,
      issuer,
      authorizationEndpoint: requiredEndpointIn(document, 'authorization_endpoint', parts),
      tokenEndpoint: requiredEndpointIn(document, 'token_endpoint', parts),
      revocationEndpoint: undefined,
      authorizationParameters: {},
      tokenRequest: { body: 'form', clientAuthentication: takesBasic ? 'basic' : 'body', headers: {} },
      sendsIssuer: document['authorization_response_iss_parameter_supported'] === true,
    };
  };
