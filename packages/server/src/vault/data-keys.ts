import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { DataKeyRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { PEPPER } from './pepper.js';
import type { KeyPlace } from './place.js';
import type { RootKeys } from './root-keys.js';

export interface DataKeysParts {
  readonly storage: Pick<Storage, 'dataKeys'>;
  readonly rootKeys: RootKeys;
  readonly commit: Commit;
  readonly now: () => number;
  readonly random: Random;
}

/** A data key in this process: a function, so that printing it shows nothing. */
export interface DataKey {
  readonly id: string;
  readonly bytes: () => Buffer;
}

export interface DataKeys {
  /** The newest key, to encrypt so many times. */
  newest(applicationId: string, times: number): Promise<DataKey>;
  /** `undefined` when the application has no such key. */
  find(applicationId: string, id: string): Promise<DataKey | undefined>;
  /** Makes the next generation, which encrypts from now on. */
  rotate(applicationId: string): Promise<DataKeyRow>;
}

/** Rule K5: so long a key serves while the root key is out of reach. */
const KEPT_MS = 5 * 60_000;
/** So long an instance may encrypt with the key before the newest one. */
const NEWEST_KEPT_MS = 5000;
const KEY_BYTES = 32;

// Random IVs of 96 bits: after 2^32 encryptions two agree with a chance of 2^-33, and the limit stays well below.
export const MOST_ENCRYPTIONS = 2 ** 30;
/** Counted when an instance begins with them: what it does not use is lost, and there are enough. */
export const ENCRYPTIONS_AT_ONCE = 2 ** 16;

export const dataKeyPlace = ({ applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>): KeyPlace => ({
  applicationId,
  table: 'data_keys',
  rowId: id,
  column: 'wrapped_key',
});

/** Work that is under way for a name is joined, and not begun twice. */
function createFlights<T>() {
  const flights = new Map<string, Promise<T>>();
  return (name: string, work: () => Promise<T>): Promise<T> => {
    const flight = flights.get(name) ?? work().finally(() => flights.delete(name));
    flights.set(name, flight);
    return flight;
  };
}

/** Keys as they are opened by the root key, each for five minutes. What did not open is tried again at once. */
function createOpenKeys({ storage, rootKeys, now }: DataKeysParts) {
  const held = new LRUCache<string, DataKey>({
    ...entryLimit(10_000),
    ttl: KEPT_MS,
    perf: { now: createMonotonicClock(now) },
    ttlResolution: 0,
  });
  const join = createFlights<DataKey>();

  // A rotation of the root key may have wrapped it again, and removed the former root key, since the row was read.
  async function unwrapLatest(row: DataKeyRow, failure: unknown): Promise<Buffer> {
    const latest = await storage.dataKeys.find(row.applicationId, row.id);
    if (!latest || latest.wrappedKey === row.wrappedKey) throw failure;
    return rootKeys.unwrap(dataKeyPlace(latest), latest.wrappedKey);
  }

  async function unwrap(row: DataKeyRow): Promise<DataKey> {
    const bytes = await rootKeys
      .unwrap(dataKeyPlace(row), row.wrappedKey)
      .catch((error: unknown) => unwrapLatest(row, error));
    const key = { id: row.id, bytes: () => bytes };
    held.set(`${row.applicationId} ${row.id}`, key);
    return key;
  }

  return {
    held: (applicationId: string, id: string) => held.get(`${applicationId} ${id}`),
    open: async (row: DataKeyRow): Promise<DataKey> =>
      held.get(`${row.applicationId} ${row.id}`) ?? join(row.id, () => unwrap(row)),
  };
}

function createRotate({ storage, rootKeys, commit, now, random }: DataKeysParts) {
  async function insert(row: DataKeyRow): Promise<'inserted' | 'exists' | 'outdated'> {
    const { applicationId, id } = row;
    return commit(async (tables, tell) => {
      // Whoever rotates the root key holds this row too: a key that is gone wraps nothing after it.
      await tables.settings.lock(PEPPER);
      if (!rootKeys.isCurrent(row.wrappedKey)) return 'outdated';
      if (!(await tables.dataKeys.insert(row))) return 'exists';
      tell({ action: 'data_key.created', applicationId, object: id });
      return 'inserted';
    });
  }

  async function make(applicationId: string, generation: number): Promise<void> {
    const id = newId('key', random);
    const wrappedKey = await rootKeys.wrap(dataKeyPlace({ applicationId, id }), random(KEY_BYTES));
    const unused = { encryptions: 0, unusedSince: null };
    const row = { id, applicationId, generation, wrappedKey, ...unused, createdAt: now() };
    if ((await insert(row)) === 'outdated') await make(applicationId, generation);
  }

  /** The key of this generation or a later one, whichever instance made it. */
  return async (applicationId: string, generation: number): Promise<DataKeyRow> => {
    await make(applicationId, generation);
    const row = await storage.dataKeys.newest(applicationId);
    if (row) return row;
    throw new ServiceError('not_found', 'The application is not there any more.');
  };
}

/** Rule K4: how often each key may still encrypt in this process. */
function createAllowances({ storage }: DataKeysParts) {
  const left = new LRUCache<string, number>(entryLimit(10_000));
  const join = createFlights<boolean>();

  async function reserve(row: DataKeyRow): Promise<boolean> {
    const limits = { count: ENCRYPTIONS_AT_ONCE, most: MOST_ENCRYPTIONS };
    const reserved = await storage.dataKeys.reserve(row, limits);
    if (reserved) left.set(row.id, ENCRYPTIONS_AT_ONCE);
    return reserved;
  }

  /** Whether the key may encrypt so many times more. */
  return async function take(row: DataKeyRow, times: number): Promise<boolean> {
    const count = left.get(row.id) ?? 0;
    if (count >= times) {
      left.set(row.id, count - times);
      return true;
    }
    return (await join(row.id, () => reserve(row))) ? take(row, times) : false;
  };
}

/** The data keys of every application, as rule K1 has them: wrapped by the root key in the database. */
export function createDataKeys(parts: DataKeysParts): DataKeys {
  const { storage, now } = parts;
  const newestRows = new LRUCache<string, DataKeyRow>({
    ...entryLimit(10_000),
    ttl: NEWEST_KEPT_MS,
    perf: { now: createMonotonicClock(now) },
    ttlResolution: 0,
  });
  const keys = createOpenKeys(parts);
  const take = createAllowances(parts);
  const makeGeneration = createRotate(parts);

  async function newestRow(applicationId: string): Promise<DataKeyRow> {
    const held = newestRows.get(applicationId);
    if (held) return held;
    const row = (await storage.dataKeys.newest(applicationId)) ?? (await makeGeneration(applicationId, 1));
    newestRows.set(applicationId, row);
    return row;
  }

  async function rotateAfter({ applicationId, generation }: DataKeyRow): Promise<DataKeyRow> {
    const row = await makeGeneration(applicationId, generation + 1);
    newestRows.set(applicationId, row);
    return row;
  }

  async function newest(applicationId: string, times: number): Promise<DataKey> {
    const row = await newestRow(applicationId);
    const key = await keys.open(row);
    if (await take(row, times)) return key;
    await rotateAfter(row);
    return newest(applicationId, times);
  }

  return {
    newest,
    find: async (applicationId, id) => {
      const held = keys.held(applicationId, id);
      if (held) return held;
      const row = await storage.dataKeys.find(applicationId, id);
      return row && keys.open(row);
    },
    rotate: async (applicationId) => {
      newestRows.delete(applicationId);
      return rotateAfter(await newestRow(applicationId));
    },
  };
}
