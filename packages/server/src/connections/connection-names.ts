import type { Storage } from '../storage/storage.js';
import { createTtlCache } from '../storage/ttl-cache.js';

export interface ConnectionNamesParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly now: () => number;
}

export interface ConnectionName {
  readonly connectionName: string;
  readonly connector: string;
}

/** Of an application, in the order of their names: another list as soon as one of them may have changed. */
export interface ListedNames {
  readonly applicationId: string;
  readonly names: readonly ConnectionName[];
}

/** Which connections there are. */
export interface ConnectionNames {
  /** What `read` would give, when it is at hand. */
  held(applicationId: string): ListedNames | undefined;
  read(applicationId: string): Promise<ListedNames>;
  /** Must be called after every change in this process. */
  drop(applicationId: string): void;
}

/** Whoever has more names those that it means. */
const MOST_NAMES = 1000;

export function createConnectionNames({
  storage: { connections },
  now,
}: ConnectionNamesParts): ConnectionNames {
  const cache = createTtlCache<ListedNames>({
    now,
    lengthOf: ({ names }) =>
      names.reduce((sum, { connectionName, connector }) => sum + connectionName.length + connector.length, 0),
  });

  async function list(applicationId: string): Promise<ListedNames> {
    const rows = await connections.list(applicationId, '', MOST_NAMES);
    return { applicationId, names: rows.map(({ name, connector }) => ({ connectionName: name, connector })) };
  }

  return {
    held: cache.get,
    read: async (applicationId) =>
      cache.get(applicationId) ??
      cache.fill(
        () => list(applicationId),
        () => applicationId,
      ),
    drop: cache.drop,
  };
}
