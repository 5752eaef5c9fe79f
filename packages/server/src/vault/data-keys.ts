import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { KeyLocation } from './ciphertext.js';
import { PEPPER } from './pepper.js';
import type { RootKeys } from './root-keys.js';

export interface DataKeysOptions {
  readonly storage: Pick<Storage, 'dataKeys'>;
  readonly rootKeys: RootKeys;
  readonly commit: Commit;
  readonly now: () => number;
  readonly random: Random;
}

/** Data key in this process. Its bytes are behind a function, so that printing it shows nothing. */
export interface DataKey {
  readonly id: string;
  readonly bytes: () => Buffer;
}

/** Time for which an unwrapped key is cached, also while the root key is unreachable (rule K5). */
const KEPT_MS = 5 * 60_000;
/** Time for which an instance may encrypt with the second newest key. */
const NEWEST_KEPT_MS = 5000;
const KEY_BYTES = 32;
const MAX_CACHED = 10_000;

// Random IVs of 96 bits: two of 2^32 encryptions agree with a chance of 2^-33. The limit is well below.
export const MAX_ENCRYPTIONS = 2 ** 30;
/** Encryptions that an instance reserves at once. Unused ones are lost; the limit allows for that. */
export const RESERVED_ENCRYPTIONS = 2 ** 16;

export const dataKeyLocation = ({
  applicationId,
  id,
}: Pick<DataKeyRow, 'applicationId' | 'id'>): KeyLocation => ({
  applicationId,
  table: 'data_keys',
  rowId: id,
  column: 'wrapped_key',
});

/** Single-flight: a call with the name of work that is under way joins that work. */
function createSingleFlight<T>() {
  const flights = new Map<string, Promise<T>>();
  return function join(name: string, work: () => Promise<T>): Promise<T> {
    const flight = flights.get(name) ?? work().finally(() => flights.delete(name));
    flights.set(name, flight);
    return flight;
  };
}

/** Caches unwrapped keys. A key that could not be unwrapped is tried again at once. */
function createKeyCache({ storage, rootKeys, now }: Pick<DataKeysOptions, 'storage' | 'rootKeys' | 'now'>) {
  const cached = new LRUCache<string, DataKey>({
    ...entryLimit(MAX_CACHED),
    ttl: KEPT_MS,
    perf: { now: createMonotonicClock(now) },
    ttlResolution: 0,
  });
  const join = createSingleFlight<DataKey>();

  // A rotation of the root key may have wrapped the key again since the row was read, and removed the old root key.
  async function unwrapLatest(row: DataKeyRow, failure: unknown): Promise<Buffer> {
    const latest = await storage.dataKeys.find(row.applicationId, row.id);
    if (!latest || latest.wrappedKey === row.wrappedKey) throw failure;
    return rootKeys.unwrap(dataKeyLocation(latest), latest.wrappedKey);
  }

  async function unwrap(row: DataKeyRow): Promise<DataKey> {
    const bytes = await rootKeys
      .unwrap(dataKeyLocation(row), row.wrappedKey)
      .catch((error: unknown) => unwrapLatest(row, error));
    const key = { id: row.id, bytes: () => bytes };
    cached.set(`${row.applicationId} ${row.id}`, key);
    return key;
  }

  return {
    cached: (applicationId: string, id: string) => cached.get(`${applicationId} ${id}`),
    open: async (row: DataKeyRow): Promise<DataKey> =>
      cached.get(`${row.applicationId} ${row.id}`) ?? join(row.id, () => unwrap(row)),
  };
}

function createMakeGeneration({ storage, rootKeys, commit, now, random }: DataKeysOptions) {
  async function insert(row: DataKeyRow): Promise<'inserted' | 'exists' | 'outdated'> {
    const { applicationId, id } = row;
    return commit(async (tables, recordEvent) => {
      // A rotation of the root key locks this row too, so that an old root key wraps no key after it.
      await tables.settings.lock(PEPPER);
      if (!rootKeys.isCurrent(row.wrappedKey)) return 'outdated';
      if (!(await tables.dataKeys.insert(row))) return 'exists';
      recordEvent({ action: 'data_key.created', applicationId, object: id });
      return 'inserted';
    });
  }

  async function make(applicationId: string, generation: number): Promise<void> {
    const id = newId('key', random);
    const wrappedKey = await rootKeys.wrap(dataKeyLocation({ applicationId, id }), random(KEY_BYTES));
    const unused = { encryptions: 0, unusedSince: null };
    const row = { id, applicationId, generation, wrappedKey, ...unused, createdAt: now() };
    if ((await insert(row)) === 'outdated') await make(applicationId, generation);
  }

  /** Returns the newest key, of this generation or a later one, whichever instance made it. */
  return async function makeGeneration(applicationId: string, generation: number): Promise<DataKeyRow> {
    await make(applicationId, generation);
    const row = await storage.dataKeys.newest(applicationId);
    if (row) return row;
    throw new ServiceError('not_found', 'The application is not there any more.');
  };
}

/** Counts the encryptions that each key has left in this process (rule K4). */
function createAllowances({ storage }: Pick<DataKeysOptions, 'storage'>) {
  const left = new LRUCache<string, number>(entryLimit(MAX_CACHED));
  const join = createSingleFlight<boolean>();

  async function reserve(row: DataKeyRow): Promise<boolean> {
    const limits = { count: RESERVED_ENCRYPTIONS, most: MAX_ENCRYPTIONS };
    const isReserved = await storage.dataKeys.reserve(row, limits);
    if (isReserved) left.set(row.id, RESERVED_ENCRYPTIONS);
    return isReserved;
  }

  /** Returns whether the key may encrypt so many times. */
  return async function take(row: DataKeyRow, times: number): Promise<boolean> {
    const count = left.get(row.id) ?? 0;
    if (count >= times) {
      left.set(row.id, count - times);
      return true;
    }
    return (await join(row.id, () => reserve(row))) ? take(row, times) : false;
  };
}

/** Data keys of all applications. Root keys wrap them in the database (rule K1). */
export function createDataKeys({ storage, rootKeys, commit, now, random }: DataKeysOptions) {
  const newestRows = new LRUCache<string, DataKeyRow>({
    ...entryLimit(MAX_CACHED),
    ttl: NEWEST_KEPT_MS,
    perf: { now: createMonotonicClock(now) },
    ttlResolution: 0,
  });
  const keys = createKeyCache({ storage, rootKeys, now });
  const take = createAllowances({ storage });
  const makeGeneration = createMakeGeneration({ storage, rootKeys, commit, now, random });

  async function newestRow(applicationId: string): Promise<DataKeyRow> {
    const cached = newestRows.get(applicationId);
    if (cached) return cached;
    const row = (await storage.dataKeys.newest(applicationId)) ?? (await makeGeneration(applicationId, 1));
    newestRows.set(applicationId, row);
    return row;
  }

  async function rotateAfter({ applicationId, generation }: DataKeyRow): Promise<DataKeyRow> {
    const row = await makeGeneration(applicationId, generation + 1);
    newestRows.set(applicationId, row);
    return row;
  }

  /** Returns the newest key, to encrypt so many times. */
  async function newest(applicationId: string, times: number): Promise<DataKey> {
    const row = await newestRow(applicationId);
    const key = await keys.open(row);
    if (await take(row, times)) return key;
    await rotateAfter(row);
    return newest(applicationId, times);
  }

  /** Returns a key of the application, or `undefined`. */
  async function find(applicationId: string, id: string): Promise<DataKey | undefined> {
    const cached = keys.cached(applicationId, id);
    if (cached) return cached;
    const row = await storage.dataKeys.find(applicationId, id);
    return row && keys.open(row);
  }

  /** Makes the next generation, which encrypts from now on. */
  async function rotate(applicationId: string): Promise<DataKeyRow> {
    newestRows.delete(applicationId);
    return rotateAfter(await newestRow(applicationId));
  }

  return { newest, find, rotate };
}
