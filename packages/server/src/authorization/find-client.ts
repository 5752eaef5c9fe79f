import { revealClient } from '../connections/connection-oauth.js';
import { ServiceError } from '../errors.js';
import type { Discovered } from '../oauth/discover.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import type { ClientMetadata } from './client-metadata.js';
import type { ClientRegistrations, KnownClient } from './client-registrations.js';

export interface FindClientParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly vault: Vault;
  readonly clientMetadata: ClientMetadata;
  readonly clientRegistrations: ClientRegistrations;
}

/**
 * The client that a connection is to a discovered authorization server, by rule O14: the one that its application set, a
 * metadata document, a registration. One that is registered already stays, because tokens were given to it.
 */
export type FindClient = (connection: ConnectionRow, discovered: Discovered) => Promise<KnownClient>;

const notConfigured = ({ name }: ConnectionRow, problem: string): ServiceError =>
  new ServiceError(
    'connection_not_configured',
    `${problem}; set clientId and clientSecret by PATCH /v1/connections/${name}.`,
    { connectionName: name },
  );

const cannotRegister = (connection: ConnectionRow): ServiceError =>
  notConfigured(
    connection,
    `The authorization server of "${connection.name}" lets no client register itself, and the connection has none`,
  );

const isOfAnother = (connection: ConnectionRow): ServiceError =>
  notConfigured(
    connection,
    `"${connection.name}" has another authorization server now, which the client of the connection is not sent to`,
  );

export function createFindClient(parts: FindClientParts): FindClient {
  const { storage, vault, clientMetadata, clientRegistrations } = parts;

  // The first issuer that a client is used with is the one that it was made for.
  async function bind(connection: ConnectionRow, issuer: string): Promise<void> {
    const bound = connection.clientIssuer ?? (await storage.connections.bindIssuer(connection, issuer));
    if (bound !== issuer) throw isOfAnother(connection);
  }

  async function preRegistered(
    connection: ConnectionRow,
    id: string,
    { server, clientAuthentications: taken }: Discovered,
  ): Promise<KnownClient> {
    await bind(connection, server.issuer);
    const isByBody = taken.includes('client_secret_post') && !taken.includes('client_secret_basic');
    return {
      id,
      clientAuthentication: isByBody ? 'body' : 'basic',
      reveal: () => revealClient(vault, connection, id),
    };
  }

  const published = (id: string): KnownClient => ({
    id,
    clientAuthentication: 'basic',
    reveal: async () => ({ id, secret: undefined }),
  });

  return async (connection, discovered) => {
    if (connection.clientId !== null) return preRegistered(connection, connection.clientId, discovered);
    const registered = await clientRegistrations.find(connection, discovered.server.issuer);
    if (registered) return registered;
    const documentUrl = discovered.takesClientMetadata ? clientMetadata.clientIdOf(connection.id) : undefined;
    if (documentUrl !== undefined) return published(documentUrl);
    if (discovered.registrationEndpoint === undefined) throw cannotRegister(connection);
    return clientRegistrations.findOrRegister(connection, discovered);
  };
}
