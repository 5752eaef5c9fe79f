import type { Storage } from '../storage/storage.js';
import { createTtlCache } from '../storage/ttl-cache.js';

export interface ConnectionName {
  readonly connectionName: string;
  readonly connector: string;
}

/** Connections of an application, sorted by name. A possible change gives a new object. */
export interface ListedNames {
  readonly applicationId: string;
  readonly names: readonly ConnectionName[];
}

/** Limit of a list. Applications with more connections must name the ones that they mean. */
const MOST_NAMES = 1000;

/** Names of the connections of applications, cached. */
export function createConnectionNames({
  storage: { connections },
  now,
}: {
  readonly storage: Pick<Storage, 'connections'>;
  readonly now: () => number;
}) {
  const cache = createTtlCache<ListedNames>({
    now,
    lengthOf: ({ names }) =>
      names.reduce((sum, { connectionName, connector }) => sum + connectionName.length + connector.length, 0),
  });

  async function list(applicationId: string): Promise<ListedNames> {
    const rows = await connections.list(applicationId, '', MOST_NAMES);
    return { applicationId, names: rows.map(({ name, connector }) => ({ connectionName: name, connector })) };
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
    /** The cached result of `read`. */
    cached: cache.get,
    read,
    /** Must be called after every change in this process. */
    drop: cache.drop,
  };
}

export type ConnectionNames = ReturnType<typeof createConnectionNames>;
