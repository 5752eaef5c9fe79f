import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KnownClient } from '@svc/sandbox';

const FILE = 'sandbox-clients.json';

/** Clients that emulated upstreams registered. They are stored here because the emulators store nothing. */
export interface SandboxClients {
  readonly all: () => readonly KnownClient[];
  readonly find: (id: string, redirectUri: string) => KnownClient | undefined;
  /** Replaces the upstream's earlier client. */
  readonly keep: (client: KnownClient) => void;
}

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

// An unreadable file counts as empty: the clients are registered again.
function read(file: string): readonly KnownClient[] {
  try {
    const clients: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(clients) ? clients.filter(isClient) : [];
  } catch {
    return [];
  }
}

/** Clients in memory. `write` receives all of them as JSON after each change. */
export function rememberClients(
  clients: readonly KnownClient[] = [],
  write = (_: string) => {},
): SandboxClients {
  const known = new Map(clients.map((client) => [client.id, client]));
  return {
    all: () => [...known.values()],
    find: (id, redirectUri) => {
      const client = known.get(id);
      return client?.redirectUris.includes(redirectUri) ? client : undefined;
    },
    keep: (client) => {
      known.set(client.id, client);
      write(JSON.stringify([...known.values()]));
    },
  };
}

/** Clients in a file of the data folder that only the service's user can read. */
export function openSandboxClients(folder: string): SandboxClients {
  const file = path.join(folder, FILE);
  return rememberClients(read(file), (text) => writeFileSync(file, text, { mode: 0o600 }));
}
