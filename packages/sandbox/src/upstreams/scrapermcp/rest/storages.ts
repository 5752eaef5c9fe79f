import { randomUUID } from 'node:crypto';
import { type Item, shortId } from '../actor.js';

interface Storage {
  readonly id: string;
  readonly name: string | undefined;
  readonly createdAt: number;
}

export interface Dataset extends Storage {
  readonly items: Item[];
}

export interface StoredRecord {
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface KeyValueStore extends Storage {
  readonly records: Map<string, StoredRecord>;
}

/** Datasets and key-value stores of one user, except the results of runs. */
export type Storages = ReturnType<typeof createStorages>;

export function createStorages(now: () => number) {
  const datasets = new Map<string, Dataset>();
  const stores = new Map<string, KeyValueStore>();
  /** Returns the storage with this name. Creates it if it does not exist. */
  function open<Stored extends Storage>(
    storages: Map<string, Stored>,
    name: string | null | undefined,
    make: (base: Storage) => Stored,
  ): Stored {
    const known = name == null ? undefined : [...storages.values()].find((one) => one.name === name);
    const storage = known ?? make({ id: shortId(randomUUID()), name: name ?? undefined, createdAt: now() });
    storages.set(storage.id, storage);
    return storage;
  }
  return {
    datasets,
    stores,
    dataset: (name?: string | null) => open(datasets, name, (base) => ({ ...base, items: [] })),
    store: (name?: string | null) => open(stores, name, (base) => ({ ...base, records: new Map() })),
  };
}

export const findStorage = <Stored extends Storage>(
  storages: ReadonlyMap<string, Stored>,
  idOrName: string,
) =>
  storages.get(idOrName) ??
  [...storages.values()].find(({ name }) => name !== undefined && idOrName === `ada~${name}`);

export function presentStorage({ id, name, createdAt }: Storage) {
  const at = new Date(createdAt).toISOString();
  const times = { createdAt: at, modifiedAt: at, accessedAt: at };
  return { id, ...(name === undefined ? {} : { name }), userId: 'user-ada', ...times };
}
