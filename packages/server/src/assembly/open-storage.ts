import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createCallers } from '../caller.js';
import type { Config } from '../config/config.js';
import { makeDataFolder } from '../storage/data-folder.js';
import { type DatabaseSource, openDatabase } from '../storage/database.js';
import { createStorage } from '../storage/storage.js';
import { loadRootKeys, type RootKeySource } from '../vault/load-root-keys.js';
import { openPepper, PEPPER } from '../vault/pepper.js';
import type { RootKeys } from '../vault/root-keys.js';

export interface StorageOptions {
  readonly config: Config;
  /** On SQLite: works beside the running service, and so must not refresh or revoke a token. */
  readonly shared?: boolean;
  /** Makes no tables where there are none. */
  readonly existing?: boolean;
  /** On SQLite: whether statements get a thread of their own, because others wait in this process. Default: true. */
  readonly inThread?: boolean;
}

const databaseOf = ({
  config,
  shared = false,
  existing = false,
  inThread = true,
}: StorageOptions): DatabaseSource =>
  config.databaseUrl === undefined
    ? { path: path.join(config.data, 'svc.db'), shared, existing, inThread }
    : { url: config.databaseUrl, existing };

const rootKeysOf = ({ rootKey, previousRootKeys, data }: Config): RootKeySource => ({
  value: rootKey,
  previous: previousRootKeys,
  file: path.join(data, 'root.key'),
  random: randomBytes,
});

/** The keys that are there already, so that one that is none is found before anything is made. */
export async function loadGivenKeys(config: Config): Promise<RootKeys | undefined> {
  const source = rootKeysOf(config);
  return source.value !== undefined || existsSync(source.file) ? loadRootKeys(source) : undefined;
}

async function open(options: StorageOptions, given: RootKeys | undefined) {
  const { database, close, ...opened } = await openDatabase(databaseOf(options));
  const callers = createCallers();
  const storage = createStorage(database, () => callers.current().applicationId ?? undefined);
  try {
    // A database that has been used has a key already: a new one would not open it.
    const make = (await storage.settings.find(PEPPER)) === undefined;
    const rootKeys = given ?? (await loadRootKeys({ ...rootKeysOf(options.config), make }));
    const digest = await openPepper({ storage, rootKeys, random: randomBytes });
    return { ...opened, storage, callers, rootKeys, digest, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export type OpenedStorage = Awaited<ReturnType<typeof open>>;

/** Opens the data folder, the database and the root keys. What fails leaves nothing behind that was not there before. */
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
