import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { addressesOf } from './addresses.js';
import type { KnownClient } from './client-registrations.js';
import { type ConnectionOAuth, readScopes } from './connection-oauth.js';
import type { Connector } from './connector.js';
import { type Discoveries, mcpUrlOf } from './discoveries.js';
import type { FindClient } from './find-client.js';

export interface DiscoveredOAuthParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly discoveries: Discoveries;
  readonly findClient: FindClient;
}

/** Describes a connection whose MCP server says itself how its users authorize. */
export type DescribeDiscovered = (
  connection: ConnectionRow,
  connector: Connector,
) => Promise<ConnectionOAuth>;

const REFUSED = 'invalid_client';

function urlOf(connection: ConnectionRow, connector: Connector): string {
  const { baseUrl } = addressesOf({ ...connection, connectionName: connection.name }, connector);
  return mcpUrlOf(baseUrl, connector.mcp);
}

function toServiceError(error: unknown, { name }: ConnectionRow): unknown {
  if (!(error instanceof OAuthError)) return error;
  const [code, advice] =
    error.failure === 'unavailable'
      ? (['unavailable', 'try again shortly'] as const)
      : (['connection_not_configured', `set the right baseUrl by PATCH /v1/connections/${name}`] as const);
  return new ServiceError(
    code,
    `How users of "${name}" authorize could not be found out (${error.message.replace(/\.$/, '')}); ${advice}.`,
    { connectionName: name },
    { cause: error },
  );
}

export function createDescribeDiscovered(parts: DiscoveredOAuthParts): DescribeDiscovered {
  const { storage, discoveries, findClient } = parts;

  // Once: a server that refuses a client that it has just registered would refuse the next one too.
  async function forget(connection: ConnectionRow, client: KnownClient, mcpUrl: string) {
    const { applicationId, id, statusReason } = connection;
    if (client.forget === undefined || statusReason === REFUSED) return undefined;
    discoveries.forget(mcpUrl);
    await client.forget();
    return storage.connections.update(applicationId, id, { statusReason: REFUSED });
  }

  return async (connection, connector) => {
    const mcpUrl = urlOf(connection, connector);
    try {
      const discovered = await discoveries.find(mcpUrl);
      const client = await findClient(connection, discovered);
      const { server, scopes } = discovered;
      const { clientAuthentication } = client;
      return {
        server: { ...server, tokenRequest: { ...server.tokenRequest, clientAuthentication } },
        clientId: client.id,
        scopes: connection.scopes === null ? scopes : readScopes(connection.scopes),
        issuer: server.issuer,
        subjectIn: () => null,
        client: client.reveal,
        forgetClient: () => forget(connection, client, mcpUrl),
        forgetServer: () => discoveries.forget(mcpUrl),
      };
    } catch (error) {
      discoveries.forget(mcpUrl);
      throw toServiceError(error, connection);
    }
  };
}
