import { randomUUID } from 'node:crypto';
import { type Item, shortId } from '../actor.js';

export interface Dataset {
  readonly id: string;
  readonly name: string | undefined;
  readonly createdAt: number;
  readonly items: Item[];
}

export interface StoredRecord {
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface KeyValueStore {
  readonly id: string;
  readonly name: string | undefined;
  readonly createdAt: number;
  readonly records: Map<string, StoredRecord>;
}

/** What one user keeps beside the results of runs. */
export type Storages = ReturnType<typeof createStorages>;

export function createStorages(now: () => number) {
  const datasets = new Map<string, Dataset>();
  const stores = new Map<string, KeyValueStore>();
  const base = (name: string | undefined) => ({ id: shortId(randomUUID()), name, createdAt: now() });
  const named = <Kept extends { readonly name: string | undefined }>(
    kept: Map<string, Kept>,
    name?: string,
  ) => (name === undefined ? undefined : [...kept.values()].find((one) => one.name === name));
  return {
    datasets,
    stores,
    /** The one of that name, made when there is none. */
    dataset(name: string | undefined): Dataset {
      const found = named(datasets, name) ?? { ...base(name), items: [] };
      datasets.set(found.id, found);
      return found;
    },
    store(name: string | undefined): KeyValueStore {
      const found = named(stores, name) ?? { ...base(name), records: new Map() };
      stores.set(found.id, found);
      return found;
    },
  };
}

export const findStorage = <Kept extends { readonly name: string | undefined }>(
  kept: ReadonlyMap<string, Kept>,
  idOrName: string,
): Kept | undefined =>
  kept.get(idOrName) ??
  [...kept.values()].find(({ name }) => name !== undefined && idOrName === `ada~${name}`);
