import { createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { newId, type Random } from '../text/random.js';
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

/**
 * Decrypted data key in memory. Printing a `KeyObject` does not reveal its bytes, and Node.js encrypts faster with it
 * than with bytes (5 and 23 µs).
 */
export interface DataKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Cache time of a decrypted data key in milliseconds. The key remains usable for this time even if the root key is
 * unreachable (rule K5 in security-rules.md).
 */
const CACHE_MS = 5 * 60_000;
/**
 * Cache time of the newest data key in milliseconds. After a rotation, an instance may encrypt with the previous key
 * for this time.
 */
const NEWEST_CACHE_MS = 5000;
const KEY_BYTES = 32;
const MAX_CACHED = 10_000;

// Maximum number of encryptions with one data key (AES-256-GCM). Each encryption has a random IV of 96 bits. Among 2^30
// encryptions, two share an IV with a probability of about 2^-37; NIST SP 800-38D allows 2^-32.
export const MAX_ENCRYPTIONS = 2 ** 30;
/**
 * Number of encryptions that an instance reserves from the database at once. Reserved encryptions that a stopped
 * instance did not use are lost.
 */
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

/**
 * Creates a single-flight function: a call with the name of a running call waits for that call and shares its result.
 */
function createSingleFlight<T>() {
  const flights = new Map<string, Promise<T>>();
  return function join(name: string, work: () => Promise<T>): Promise<T> {
    const flight = flights.get(name) ?? work().finally(() => flights.delete(name));
    flights.set(name, flight);
    return flight;
  };
}

/** Caches decrypted data keys. A failed decryption is not cached, so the next call tries again. */
function createKeyCache({ storage, rootKeys, now }: Pick<DataKeysOptions, 'storage' | 'rootKeys' | 'now'>) {
  const cached = new LRUCache<string, DataKey>({
    ...entryLimit(MAX_CACHED),
    ttl: CACHE_MS,
    perf: { now: createMonotonicClock(now) },
    ttlResolution: 0,
  });
  const join = createSingleFlight<DataKey>();

  // Decrypts the data key from its current row after `row` could not be decrypted. A root key rotation may have
  // re-encrypted the key after `row` was read, and then removed the old root key.
  async function unwrapLatest(row: DataKeyRow, failure: unknown): Promise<Buffer> {
    const latest = await storage.dataKeys.find(row.applicationId, row.id);
    if (!latest || latest.wrappedKey === row.wrappedKey) throw failure;
    return rootKeys.unwrap(dataKeyLocation(latest), latest.wrappedKey);
  }

  async function unwrap(row: DataKeyRow): Promise<DataKey> {
    const bytes = await rootKeys
      .unwrap(dataKeyLocation(row), row.wrappedKey)
      .catch((error: unknown) => unwrapLatest(row, error));
    const key = { id: row.id, key: createSecretKey(bytes) };
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
    return commit(async (tables, audit) => {
      // Locks the row of the pepper, which root key rotation locks too. A rotation therefore cannot remove the root key
      // that encrypts the new data key.
      await tables.settings.lock(PEPPER);
      if (!rootKeys.isCurrent(row.wrappedKey)) return 'outdated';
      if (!(await tables.dataKeys.insert(row))) return 'exists';
      audit({ action: 'data_key.created', applicationId, object: id });
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

  /**
   * Creates a data key of this generation, unless another instance already did. Returns the application's newest data
   * key.
   */
  return async function makeGeneration(applicationId: string, generation: number): Promise<DataKeyRow> {
    await make(applicationId, generation);
    const row = await storage.dataKeys.newest(applicationId);
    if (row) return row;
    throw new ServiceError('not_found', 'The application was deleted. Ask an operator to create a new one.');
  };
}

/** Counts how many encryptions this process may still do with each data key (rule K4 in security-rules.md). */
function createAllowances({ storage }: Pick<DataKeysOptions, 'storage'>) {
  const left = new LRUCache<string, number>(entryLimit(MAX_CACHED));
  const join = createSingleFlight<boolean>();

  async function reserve(row: DataKeyRow): Promise<boolean> {
    const limits = { count: RESERVED_ENCRYPTIONS, most: MAX_ENCRYPTIONS };
    const isReserved = await storage.dataKeys.reserve(row, limits);
    if (isReserved) left.set(row.id, RESERVED_ENCRYPTIONS);
    return isReserved;
  }

  /**
   * Takes `times` encryptions from those that this process reserved for the data key, and reserves more if needed.
   * Returns false if the data key has reached its maximum number of encryptions.
   */
  return async function take(row: DataKeyRow, times: number): Promise<boolean> {
    const count = left.get(row.id) ?? 0;
    if (count >= times) {
      left.set(row.id, count - times);
      return true;
    }
    return (await join(row.id, () => reserve(row))) ? take(row, times) : false;
  };
}

/**
 * Manages the data keys of all applications. The database stores them encrypted by root keys (rule K1 in
 * security-rules.md).
 */
export function createDataKeys({ storage, rootKeys, commit, now, random }: DataKeysOptions) {
  const newestRows = new LRUCache<string, DataKeyRow>({
    ...entryLimit(MAX_CACHED),
    ttl: NEWEST_CACHE_MS,
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

  /**
   * Returns the application's newest data key, to make `times` encryptions with it. Creates a new key first if the
   * current one has no encryptions left.
   */
  async function newest(applicationId: string, times: number): Promise<DataKey> {
    const row = await newestRow(applicationId);
    const key = await keys.open(row);
    if (await take(row, times)) return key;
    await rotateAfter(row);
    return newest(applicationId, times);
  }

  /** Returns the application's data key with this id. Returns `undefined` if it does not exist. */
  async function find(applicationId: string, id: string): Promise<DataKey | undefined> {
    const cached = keys.cached(applicationId, id);
    if (cached) return cached;
    const row = await storage.dataKeys.find(applicationId, id);
    return row && keys.open(row);
  }

  /** Creates a new data key, which encrypts all values from now on. */
  async function rotate(applicationId: string): Promise<DataKeyRow> {
    newestRows.delete(applicationId);
    return rotateAfter(await newestRow(applicationId));
  }

  return { newest, find, rotate };
}
