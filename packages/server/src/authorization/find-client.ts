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

const notConfigured = ({ name }: ConnectionRow, problem: string): ServiceError =>
  new ServiceError(
    'connection_not_configured',
    `${problem}. Set clientId and clientSecret with PATCH /v1/connections/${name}.`,
    { connectionName: name },
  );

const cannotRegister = (connection: ConnectionRow): ServiceError =>
  notConfigured(
    connection,
    `The connection "${connection.name}" has no OAuth client, and its authorization server does not let clients register themselves`,
  );

const boundToAnother = (connection: ConnectionRow): ServiceError =>
  notConfigured(
    connection,
    `The connection "${connection.name}" has a new authorization server, but its clientId belongs to the previous authorization server`,
  );

export function createFindClient({ storage, vault, clientMetadata, clientRegistrations }: FindClientParts) {
  /**
   * Binds the OAuth client of a connection to the first authorization server that it is used with. Throws for any other
   * server, because a server must not receive the client secret of another server.
   */
  async function bind(connection: ConnectionRow, issuer: string): Promise<void> {
    const bound = connection.clientIssuer ?? (await storage.connections.bindIssuer(connection, issuer));
    if (bound !== issuer) throw boundToAnother(connection);
  }

  async function preRegistered(
    connection: ConnectionRow,
    id: string,
    { server, clientAuthentications: supported }: Discovered,
  ): Promise<KnownClient> {
    await bind(connection, server.issuer);
    const isByBody = supported.includes('client_secret_post') && !supported.includes('client_secret_basic');
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

  /**
   * Chooses the OAuth client for a connection at a discovered authorization server. Order: client id set on the
   * connection, client that the service already registered, client metadata document, new registration. A registered
   * client is preferred over a document, because the stored tokens were issued to that client. The service registers at
   * most one client per issuer (rule O14 in security-rules.md).
   */
  async function findClient(connection: ConnectionRow, discovered: Discovered): Promise<KnownClient> {
    if (connection.clientId !== null) return preRegistered(connection, connection.clientId, discovered);
    const registered = await clientRegistrations.find(connection, discovered.server.issuer);
    if (registered) return registered;
    const documentUrl = discovered.takesClientMetadata ? clientMetadata.clientIdOf(connection.id) : undefined;
    if (documentUrl !== undefined) return published(documentUrl);
    if (discovered.registrationEndpoint === undefined) throw cannotRegister(connection);
    return clientRegistrations.findOrRegister(connection, discovered);
  }
  return findClient;
}

export type FindClient = ReturnType<typeof createFindClient>;
