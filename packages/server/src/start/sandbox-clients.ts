import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KnownClient } from '@svc/sandbox';

const FILE = 'sandbox-clients.json';

const isString = (value: unknown): value is string => typeof value === 'string';

function isClient(value: unknown): value is KnownClient {
  const { id, clientId, clientSecret, redirectUris }: Partial<Record<keyof KnownClient, unknown>> =
    typeof value === 'object' && value !== null ? value : {};
  return (
    [id, clientId, clientSecret].every(isString) &&
    Array.isArray(redirectUris) &&
    redirectUris.every(isString)
  );
}

// An unreadable file counts as empty, because the sandbox can register the clients again.
function read(file: string): readonly KnownClient[] {
  try {
    const clients: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(clients) ? clients.filter(isClient) : [];
  } catch {
    return [];
  }
}

/** Maximum number of stored clients. The oldest are dropped, because deleted connections keep their clients here. */
const MAX_CLIENTS = 500;

const keyOf = (id: string, redirectUri = ''): string => JSON.stringify([id, redirectUri]);

/**
 * Remembers the OAuth clients that emulated upstreams registered, because the emulators themselves store nothing.
 * `write` receives all clients as JSON after each change.
 */
export function rememberClients(clients: readonly KnownClient[] = [], write = (_: string) => {}) {
  const known = new Map(clients.map((client) => [keyOf(client.id, client.redirectUris[0]), client]));
  return {
    all: (): readonly KnownClient[] => [...known.values()],
    find: (id: string, redirectUri: string): KnownClient | undefined => known.get(keyOf(id, redirectUri)),
    /** Stores the client. Replaces an earlier client that has the same upstream and the same redirect URI. */
    store: (client: KnownClient): void => {
      known.set(keyOf(client.id, client.redirectUris[0]), client);
      for (const key of [...known.keys()].slice(0, -MAX_CLIENTS)) known.delete(key);
      write(JSON.stringify([...known.values()]));
    },
  };
}

export type SandboxClients = ReturnType<typeof rememberClients>;

/** Stores the sandbox's OAuth clients in a file of the data folder, which only the user of the service can read. */
export function openSandboxClients(folder: string): SandboxClients {
  const file = path.join(folder, FILE);
  return rememberClients(read(file), (text) => writeFileSync(file, text, { mode: 0o600 }));
}
