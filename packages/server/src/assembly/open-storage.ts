import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createCallers } from '../caller.js';
import type { Config } from '../config/config.js';
import { makeDataFolder } from '../storage/data-folder.js';
import { type DatabaseSource, type OnQuery, openDatabase } from '../storage/database.js';
import { createStorage } from '../storage/storage.js';
import { loadRootKeys, type RootKeySource } from '../vault/load-root-keys.js';
import { openPepper, PEPPER } from '../vault/pepper.js';
import type { RootKeys } from '../vault/root-keys.js';

export interface StorageOptions {
  readonly config: Config;
  /**
   * SQLite only. True for a command that may run while the service runs. Such a process must not refresh or revoke
   * tokens. Default: false.
   */
  readonly shared?: boolean;
  /**
   * If true, a database without tables is an error. If false, the service creates the missing tables. Default: false.
   */
  readonly existing?: boolean;
  /**
   * SQLite only. If true, SQL statements run in a worker thread, so that they do not block other work of this process.
   * Default: true.
   */
  readonly inThread?: boolean;
  /** Called after each SQL statement. */
  readonly onQuery?: OnQuery | undefined;
}

const databaseOf = ({
  config,
  shared = false,
  existing = false,
  inThread = true,
  onQuery,
}: StorageOptions): DatabaseSource =>
  config.databaseUrl === undefined
    ? { path: path.join(config.data, 'svc.db'), shared, existing, inThread, onQuery }
    : { url: config.databaseUrl, connections: config.databaseConnections, existing, onQuery };

const rootKeysOf = ({ rootKey, previousRootKeys, data }: Config): RootKeySource => ({
  value: rootKey,
  previous: previousRootKeys,
  file: path.join(data, 'root.key'),
  random: randomBytes,
});

/**
 * Loads the root keys from the settings or an existing key file. Returns `undefined` if neither exists. Called before
 * any file is created, so that an invalid root key leaves no files behind.
 */
export async function loadGivenKeys(config: Config): Promise<RootKeys | undefined> {
  const source = rootKeysOf(config);
  return source.value !== undefined || existsSync(source.file) ? loadRootKeys(source) : undefined;
}

async function open(options: StorageOptions, given: RootKeys | undefined) {
  const { database, lock, innerLock, pools, now, copyDatabase, migrated, close } = await openDatabase(
    databaseOf(options),
  );
  const callers = createCallers();
  const storage = createStorage(database, () => callers.current().applicationId ?? undefined);
  try {
    // True for a new database, which contains no pepper yet. Only for such a database is a new root key created,
    // because it could not decrypt an existing pepper.
    const make = (await storage.settings.find(PEPPER)) === undefined;
    const rootKeys = given ?? (await loadRootKeys({ ...rootKeysOf(options.config), make }));
    const digest = await openPepper({ storage, rootKeys, random: randomBytes });
    return { storage, callers, lock, innerLock, pools, now, rootKeys, digest, copyDatabase, migrated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export type OpenedStorage = Awaited<ReturnType<typeof open>>;

/** Opens the data folder, the database and the root keys. If that fails, removes all folders that it has created. */
export async function openStorage(options: StorageOptions): Promise<OpenedStorage> {
  const given = await loadGivenKeys(options.config);
  const folder = makeDataFolder(options.config.data);
  try {
    return await open(options, given);
  } catch (error) {
    folder.undo();
    throw error;
  }
}
