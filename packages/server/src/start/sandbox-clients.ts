import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KnownClient } from '@svc/sandbox';

const FILE = 'sandbox-clients.json';

/** The clients that emulated upstreams registered: the emulators keep nothing, and connections keep their clients. */
export interface SandboxClients {
  readonly all: () => readonly KnownClient[];
  readonly find: (id: string, redirectUri: string) => KnownClient | undefined;
  /** Takes the place of the upstream's former one. */
  readonly keep: (client: KnownClient) => void;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function isClient(value: unknown): value is KnownClient {
  const { id, clientId, clientSecret, redirectUris }: Partial<Record<keyof KnownClient, unknown>> =
    typeof value === 'object' && value !== null ? value : {};
  return (
    [id, clientId, clientSecret].every(isText) && Array.isArray(redirectUris) && redirectUris.every(isText)
  );
}

// What cannot be read is registered anew.
function read(file: string): readonly KnownClient[] {
  try {
    const clients: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(clients) ? clients.filter(isClient) : [];
  } catch {
    return [];
  }
}

/** Clients that nobody remembers any longer than this process. */
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

/** Those that stand in a file in the folder of data, for the service's user alone. */
export function openSandboxClients(folder: string): SandboxClients {
  const file = path.join(folder, FILE);
  return rememberClients(read(file), (text) => writeFileSync(file, text, { mode: 0o600 }));
}
