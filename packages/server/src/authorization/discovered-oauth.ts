import { addressesOf } from '../connections/addresses.js';
import { type DescribeDiscovered, readScopes } from '../connections/connection-oauth.js';
import type { Connector } from '../connections/connector.js';
import { type Discoveries, type Guarded, guardedAt } from '../connections/discoveries.js';
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

export function guardedBy(connection: ConnectionRow, connector: Connector): Guarded {
  const { baseUrl } = addressesOf({ ...connection, connectionName: connection.name }, connector);
  return guardedAt(baseUrl, connector);
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
  async function forget(connection: ConnectionRow, client: KnownClient, guarded: Guarded) {
    const { applicationId, id, statusReason } = connection;
    if (client.forget === undefined || statusReason === REFUSED) return undefined;
    discoveries.forget(guarded);
    await client.forget();
    return storage.connections.update(applicationId, id, { statusReason: REFUSED });
  }

  return async (connection, connector) => {
    const guarded = guardedBy(connection, connector);
    try {
      const discovered = await discoveries.find(guarded);
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
        forgetClient: () => forget(connection, client, guarded),
        forgetServer: () => discoveries.forget(guarded),
      };
    } catch (error) {
      discoveries.forget(guarded);
      throw toServiceError(error, connection);
    }
  };
}
