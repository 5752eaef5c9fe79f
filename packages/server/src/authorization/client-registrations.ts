import { redirectUriOf } from '../connections/connection.js';
import type { Client, TokenRequestStyle } from '../oauth/authorization-server.js';
import type { Discovered } from '../oauth/discover.js';
import type { ClientRegistration, RegisterClient } from '../oauth/register-client.js';
import { secret } from '../secret.js';
import type { RegistrationKey } from '../storage/connection-tables.js';
import type { Lock } from '../storage/lock.js';
import type { ClientRegistrationRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { parseObject } from '../text/json-object.js';
import { newId, type Random } from '../text/random.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

export interface ClientRegistrationsParts {
  readonly storage: Pick<Storage, 'applications' | 'clientRegistrations'>;
  readonly vault: Vault;
  readonly registerClient: RegisterClient;
  /** Mutex per connection and issuer, so that two concurrent users do not register two OAuth clients. */
  readonly lock: Lock;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/** OAuth client that is already registered with the authorization server or published as a metadata document. */
export interface KnownClient {
  readonly id: string;
  readonly clientAuthentication: TokenRequestStyle['clientAuthentication'];
  /** Decrypts the client secret of the OAuth client and returns the client with the secret. */
  readonly reveal: () => Promise<Client>;
  /**
   * Deletes the stored registration of the OAuth client, so that the next use registers a new client. Absent for
   * clients that the service did not register.
   */
  readonly forget?: () => Promise<void>;
}

const responseLocation = ({
  applicationId,
  id,
}: Pick<ClientRegistrationRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'client_registrations',
  rowId: id,
  column: 'response',
});

// Expiry of the client secret in epoch milliseconds; `null` if it does not expire. RFC 7591 gives seconds, and 0 for no
// expiry. An expiry too large for a safe integer also means no expiry.
function expiryOf({ client_secret_expires_at: seconds }: ClientRegistration): number | null {
  if (typeof seconds !== 'number' || seconds <= 0) return null;
  const ms = Math.round(seconds * 1000);
  return Number.isSafeInteger(ms) ? ms : null;
}

/**
 * Stores OAuth clients that this service registers: one for each connection and issuer, even with concurrent users.
 */
export function createClientRegistrations(parts: ClientRegistrationsParts) {
  const { storage, vault, registerClient, lock, environmentUrl, now, random } = parts;

  const keyOf = ({ applicationId, id: connectionId }: ConnectionRow, issuer: string): RegistrationKey => ({
    applicationId,
    connectionId,
    issuer,
    redirectUri: redirectUriOf(environmentUrl, connectionId),
  });

  async function findRow(key: RegistrationKey): Promise<ClientRegistrationRow | undefined> {
    const known = await storage.clientRegistrations.find(key);
    if (!known || known.expiresAt === null || known.expiresAt > now()) return known;
    await storage.clientRegistrations.delete(known);
    return undefined;
  }

  async function register(key: RegistrationKey, discovered: Discovered): Promise<ClientRegistrationRow> {
    const application = await storage.applications.find(key.applicationId);
    const name = application?.name ?? 'Agent connector service';
    const client = await registerClient(discovered, { name, redirectUri: key.redirectUri });
    const row = { ...key, id: newId('client', random) };
    const registration = {
      ...row,
      clientId: client.client_id,
      response: await vault.seal(responseLocation(row), secret(JSON.stringify(client))),
      expiresAt: expiryOf(client),
      createdAt: now(),
    };
    await storage.clientRegistrations.insert(registration);
    // Another process may have stored its registered client first. In that case all processes use that client.
    return (await storage.clientRegistrations.find(key)) ?? registration;
  }

  async function toKnown(row: ClientRegistrationRow): Promise<KnownClient> {
    const opened = await vault.open(responseLocation(row), row.response);
    const { client_secret: clientSecret, token_endpoint_auth_method: method } =
      parseObject(opened.reveal()) ?? {};
    const isPublic = method === 'none' || typeof clientSecret !== 'string';
    return {
      id: row.clientId,
      clientAuthentication: method === 'client_secret_post' ? 'body' : 'basic',
      reveal: async () => ({ id: row.clientId, secret: isPublic ? undefined : clientSecret }),
      forget: async () => void (await storage.clientRegistrations.delete(row)),
    };
  }

  async function find(connection: ConnectionRow, issuer: string): Promise<KnownClient | undefined> {
    const row = await findRow(keyOf(connection, issuer));
    return row && toKnown(row);
  }

  async function findOrRegister(connection: ConnectionRow, discovered: Discovered): Promise<KnownClient> {
    const key = keyOf(connection, discovered.server.issuer);
    const row = await lock(
      `${key.connectionId} ${key.issuer}`,
      async () => (await findRow(key)) ?? register(key, discovered),
      key.applicationId,
    );
    return toKnown(row);
  }

  return { find, findOrRegister };
}

export type ClientRegistrations = ReturnType<typeof createClientRegistrations>;
