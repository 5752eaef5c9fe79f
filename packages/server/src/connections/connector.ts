import type { Connector as CatalogConnector, OAuth2Auth } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { didYouMean } from '../text/did-you-mean.js';

/** Properties of a catalogue connector that connections and accounts need. */
export type Connector = Pick<
  CatalogConnector,
  | 'id'
  | 'title'
  | 'service'
  | 'baseUrl'
  | 'regions'
  | 'hosts'
  | 'auth'
  | 'mcp'
  | 'identity'
  | 'logo'
  | 'consent'
  | 'verify'
  | 'webhooks'
>;
export type Connectors = ReadonlyMap<string, Connector>;
export type AuthType = Connector['auth']['type'];

/**
 * Returns the connector. Throws connector_not_found if the catalogue no longer has it, because a connection may outlive
 * its connector.
 */
export function findConnector<Found>(connectors: ReadonlyMap<string, Found>, id: string): Found {
  const connector = connectors.get(id);
  if (connector) return connector;
  throw new ServiceError(
    'connector_not_found',
    `There is no connector "${id}".${didYouMean(id, connectors.keys())} GET /v1/connectors lists the connectors.`,
  );
}

export function oauthOf({ auth, title }: Connector): OAuth2Auth {
  if (auth.type === 'oauth2') return auth;
  const field = keyField(auth.type);
  throw new ServiceError(
    'invalid_request',
    field === undefined
      ? `${title} publishes its own authorization server. Omit authorizationEndpoint, tokenEndpoint and revocationEndpoint.`
      : `${title} uses a key instead of a user's consent. Send ${field} with PUT to the account.`,
  );
}

/**
 * Finds the request that tests a credential. `name` is the name of a secondary credential, and absent for the primary
 * one. Returns `undefined` if no request can test the credential.
 */
export const findVerifyRequest = ({ hosts, verify }: Pick<Connector, 'hosts' | 'verify'>, name?: string) =>
  verify?.find(({ host }) => (host === undefined ? undefined : hosts[host]?.credential) === name);

/** Returns the name of the request property that contains an account's key; `undefined` for connectors with OAuth. */
export function keyField(type: AuthType): 'apiKey' | 'bearerToken' | undefined {
  if (type === 'api_key') return 'apiKey';
  return type === 'bearer_token' ? 'bearerToken' : undefined;
}
