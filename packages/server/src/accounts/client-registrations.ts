import type { Client, TokenRequestStyle } from '../oauth/authorization-server.js';
import type { Discovered } from '../oauth/discover.js';
import type { ClientRegistration, RegisterClient } from '../oauth/register-client.js';
import type { RegistrationKey } from '../storage/client-registrations-table.js';
import type { ClientRegistrationRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { redirectUriOf } from './connection.js';
import { newId, type Random } from './random.js';
import { secret } from './secret.js';
import type { Place, Vault } from './vault.js';

export interface ClientRegistrationsParts {
  readonly storage: Pick<Storage, 'applications' | 'clientRegistrations'>;
  readonly vault: Vault;
  readonly registerClient: RegisterClient;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/** A client that registered itself, and how it authenticates. */
export interface RegisteredClient {
  readonly id: string;
  readonly clientAuthentication: TokenRequestStyle['clientAuthentication'];
  /** With the secret decrypted. */
  readonly reveal: () => Promise<Client>;
  /** Whether it was known until now. */
  readonly forget: () => Promise<boolean>;
}

/** The clients that the service registered: one for each connection and issuer, however many users come at once. */
export type FindOrRegister = (connection: ConnectionRow, discovered: Discovered) => Promise<RegisteredClient>;

const answerPlace = ({ applicationId, id }: Pick<ClientRegistrationRow, 'applicationId' | 'id'>): Place => ({
  applicationId,
  table: 'client_registrations',
  rowId: id,
  column: 'answer',
});

// RFC 7591: seconds, and 0 for a secret that does not end.
function expiryOf({ client_secret_expires_at: seconds }: ClientRegistration): number | null {
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : null;
}

function readAnswer(json: string): Readonly<Record<string, unknown>> {
  const answer: unknown = JSON.parse(json);
  return typeof answer === 'object' && answer !== null ? { ...answer } : {};
}

export function createClientRegistrations(parts: ClientRegistrationsParts): FindOrRegister {
  const { storage, vault, registerClient, environmentUrl, now, random } = parts;
  const flights = new Map<string, Promise<ClientRegistrationRow>>();

  async function register(key: RegistrationKey, discovered: Discovered): Promise<ClientRegistrationRow> {
    const application = await storage.applications.find(key.applicationId);
    const name = application?.name ?? 'Agent connector service';
    const answer = await registerClient(discovered, { name, redirectUri: key.redirectUri });
    const row = { ...key, id: newId('client', random) };
    const registration = {
      ...row,
      clientId: answer.client_id,
      answer: await vault.seal(answerPlace(row), secret(JSON.stringify(answer))),
      expiresAt: expiryOf(answer),
      createdAt: now(),
    };
    await storage.clientRegistrations.insert(registration);
    // Another process may have been faster, and then its client is everybody's.
    return (await storage.clientRegistrations.find(key)) ?? registration;
  }

  async function findOrRegister(
    key: RegistrationKey,
    discovered: Discovered,
  ): Promise<ClientRegistrationRow> {
    const known = await storage.clientRegistrations.find(key);
    if (known && (known.expiresAt === null || known.expiresAt > now())) return known;
    if (known) await storage.clientRegistrations.delete(known);
    return register(key, discovered);
  }

  function joined(key: RegistrationKey, discovered: Discovered): Promise<ClientRegistrationRow> {
    const name = `${key.connectionId} ${key.issuer}`;
    const flying = flights.get(name);
    if (flying) return flying;
    const flight = findOrRegister(key, discovered).finally(() => flights.delete(name));
    flights.set(name, flight);
    return flight;
  }

  return async ({ applicationId, id: connectionId }, discovered) => {
    const { issuer } = discovered.server;
    const redirectUri = redirectUriOf(environmentUrl, connectionId);
    const row = await joined({ applicationId, connectionId, issuer, redirectUri }, discovered);
    const answer = readAnswer((await vault.open(answerPlace(row), row.answer)).reveal());
    const { client_secret: clientSecret, token_endpoint_auth_method: method } = answer;
    const isPublic = method === 'none' || typeof clientSecret !== 'string';
    return {
      id: row.clientId,
      clientAuthentication: method === 'client_secret_post' ? 'body' : 'basic',
      reveal: async () => ({ id: row.clientId, secret: isPublic ? undefined : clientSecret }),
      forget: () => storage.clientRegistrations.delete(row),
    };
  };
}
