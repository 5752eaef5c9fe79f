import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import type { Discover, Discovered } from '../oauth/discover.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { addressesOf } from './addresses.js';
import type { FindOrRegister, RegisteredClient } from './client-registrations.js';
import { type ConnectionOAuth, readScopes } from './connection-oauth.js';
import type { Connector } from './connector.js';

export interface DiscoveredOAuthParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly discover: Discover;
  readonly findOrRegister: FindOrRegister;
  readonly now: () => number;
}

/** Describes a connection whose MCP server says itself how its users authorize. */
export type DescribeDiscovered = (
  connection: ConnectionRow,
  connector: Connector,
) => Promise<ConnectionOAuth>;

const KEPT_MS = 60 * 60_000;
const MOST_KEPT = 1000;
const REFUSED = 'invalid_client';

// Without its query, which chooses what the server offers and not who guards it.
function mcpUrlOf(connection: ConnectionRow, connector: Connector): string {
  const { baseUrl } = addressesOf({ ...connection, connectionName: connection.name }, connector);
  return `${baseUrl}${connector.mcp?.path ?? ''}`.replace(/\?.*$/, '');
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
  const { storage, discover, findOrRegister, now } = parts;
  const found = new LRUCache<string, Promise<Discovered>>({ max: MOST_KEPT, ttl: KEPT_MS, perf: { now } });

  function discoverOnce(mcpUrl: string): Promise<Discovered> {
    const known = found.get(mcpUrl);
    if (known) return known;
    const discovering = discover(mcpUrl);
    found.set(mcpUrl, discovering);
    discovering.catch(() => found.delete(mcpUrl));
    return discovering;
  }

  // Once: a server that refuses a client that it has just registered would refuse the next one too.
  async function forget(connection: ConnectionRow, client: RegisteredClient, mcpUrl: string) {
    const { applicationId, id, statusReason } = connection;
    if (statusReason === REFUSED) return undefined;
    found.delete(mcpUrl);
    await client.forget();
    return storage.connections.update(applicationId, id, { statusReason: REFUSED });
  }

  return async (connection, connector) => {
    const mcpUrl = mcpUrlOf(connection, connector);
    try {
      const discovered = await discoverOnce(mcpUrl);
      const client = await findOrRegister(connection, discovered);
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
        forgetServer: () => found.delete(mcpUrl),
      };
    } catch (error) {
      found.delete(mcpUrl);
      throw toServiceError(error, connection);
    }
  };
}
