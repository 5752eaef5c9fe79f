import { createTtlCache } from '../concurrency/ttl-cache.js';
import type { Storage } from '../storage/storage.js';
import type { Connectors } from './connector.js';

export interface ConnectionName {
  readonly connectionName: string;
  readonly connector: string;
  /** False if users cannot connect an account, because the connection has no OAuth client yet. */
  readonly isConfigured: boolean;
}

/**
 * Connections of an application, sorted by name. Every new read from the database creates a new object, so that callers
 * can detect changes by identity.
 */
export interface ListedNames {
  readonly applicationId: string;
  readonly names: readonly ConnectionName[];
}

/**
 * Maximum number of connections in an application's cached list of connection names, in alphabetical order. MCP tool
 * lists and consent pages do not know further connections.
 */
const MAX_NAMES = 1000;

/** Creates the cache of the connection names of each application. */
export function createConnectionNames({
  storage: { connections },
  connectors,
  now,
}: {
  readonly storage: Pick<Storage, 'connections'>;
  readonly connectors: Connectors;
  readonly now: () => number;
}) {
  const cache = createTtlCache<ListedNames>({
    now,
    lengthOf: ({ names }) =>
      names.reduce((sum, { connectionName, connector }) => sum + connectionName.length + connector.length, 0),
  });

  async function list(applicationId: string): Promise<ListedNames> {
    const rows = await connections.list(applicationId, '', MAX_NAMES);
    const names = rows.map(({ name, connector, clientId }) => {
      const isConfigured = clientId !== null || connectors.get(connector)?.auth.type !== 'oauth2';
      return { connectionName: name, connector, isConfigured };
    });
    return { applicationId, names };
  }

  async function read(applicationId: string): Promise<ListedNames> {
    return (
      cache.get(applicationId) ??
      cache.fill(
        () => list(applicationId),
        () => applicationId,
      )
    );
  }

  return {
    /** Returns the cached connections of an application without waiting; `undefined` if they are not cached. */
    cached: cache.get,
    read,
    /** Removes an application from the cache. Call it after every created or deleted connection in this process. */
    drop: cache.drop,
  };
}

export type ConnectionNames = ReturnType<typeof createConnectionNames>;
