import { addressesOf } from '../connections/connection-addresses.js';
import { type ConnectionOAuth, readScopes } from '../connections/connection-oauth.js';
import type { Connector } from '../connections/connector.js';
import { type Discoveries, type ProtectedResource, resourceAt } from '../connections/discoveries.js';
import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { KnownClient } from './client-registrations.js';
import type { FindClient } from './find-client.js';

export interface DiscoveredOAuthParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly discoveries: Discoveries;
  readonly findClient: FindClient;
}

const REFUSED = 'invalid_client';

export function resourceOf(connection: ConnectionRow, connector: Connector): ProtectedResource {
  const { baseUrl } = addressesOf({ ...connection, connectionName: connection.name }, connector);
  return resourceAt(baseUrl, connector);
}

const unannounced = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'connection_not_configured',
    `The authorization server of the connection "${name}" does not announce PKCE with S256, which protects authorization codes. If it supports PKCE, send {"allowUnannouncedPkce":true} with PATCH /v1/connections/${name}.`,
    { connectionName: name, reason: 'pkce_not_announced' },
  );

function fromOAuthError(error: unknown, { name }: ConnectionRow): unknown {
  if (!(error instanceof OAuthError)) return error;
  const problem = `The service cannot use the authorization server of the connection "${name}". ${error.message}`;
  const details = { connectionName: name };
  // An outage has no further advice, because the message of the error already says when to retry.
  return error.failure === 'unavailable'
    ? new ServiceError('unavailable', problem, details, { cause: error })
    : new ServiceError(
        'connection_not_configured',
        `${problem} If \`baseUrl\` is wrong, correct it with PATCH /v1/connections/${name}.`,
        details,
        { cause: error },
      );
}

export function createDescribeDiscovered({ storage, discoveries, findClient }: DiscoveredOAuthParts) {
  /**
   * Deletes an OAuth client that the service registered and the authorization server refused. The service then
   * registers a new client. Does so only once, because another registration would not help after a second refusal.
   */
  async function forgetClient(connection: ConnectionRow, client: KnownClient, resource: ProtectedResource) {
    if (client.forget === undefined || connection.statusReason === REFUSED) return undefined;
    discoveries.forget(resource);
    await client.forget();
    return storage.connections.change(connection, { statusReason: REFUSED });
  }

  /** Describes the OAuth settings of a connection whose MCP server announces its authorization server. */
  async function describeDiscovered(
    connection: ConnectionRow,
    connector: Connector,
  ): Promise<ConnectionOAuth> {
    const resource = resourceOf(connection, connector);
    try {
      const discovered = await discoveries.find(resource);
      if (!discovered.announcesPkce && connection.allowUnannouncedPkce === 0) throw unannounced(connection);
      const client = await findClient(connection, discovered);
      const { server, scopes } = discovered;
      const { clientAuthentication } = client;
      return {
        server: { ...server, tokenRequest: { ...server.tokenRequest, clientAuthentication } },
        clientId: client.id,
        scopes: connection.scopes === null ? scopes : readScopes(connection.scopes),
        issuer: server.issuer,
        isFallback: discovered.isFallback,
        subjectIn: () => null,
        connectedAsIn: () => null,
        client: client.reveal,
        forgetClient: () => forgetClient(connection, client, resource),
        forgetServer: () => discoveries.forget(resource),
      };
    } catch (error) {
      discoveries.forget(resource);
      throw fromOAuthError(error, connection);
    }
  }
  return describeDiscovered;
}
