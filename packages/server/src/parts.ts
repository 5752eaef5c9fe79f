import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Catalog, loadCatalog } from '@svc/catalog';
import { type Authorization, createAuthorization } from './accounts/authorization.js';
import { loadRootKeys } from './accounts/load-root-keys.js';
import { type Digest, openPepper } from './accounts/pepper.js';
import type { RootKeys } from './accounts/root-keys.js';
import { type Callers, createCallers } from './caller.js';
import type { Config } from './config.js';
import { createAgent } from './http/agent.js';
import { createFetch } from './http/fetch.js';
import { makeDataFolder } from './storage/data-folder.js';
import { type DatabaseSource, openDatabase } from './storage/database.js';
import { openSpool } from './storage/spool.js';
import { createStorage, type Storage } from './storage/storage.js';

export interface PartsOptions {
  readonly config: Config;
  /** On SQLite: works beside the running service, and so must not refresh or revoke a token. */
  readonly shared?: boolean;
}

/** What the service and every command stand on. */
export interface Parts {
  readonly catalog: Catalog;
  readonly callers: Callers;
  readonly storage: Storage;
  readonly rootKeys: RootKeys;
  readonly digest: Digest;
  readonly authorization: Authorization;
  readonly agent: ReturnType<typeof createAgent>;
  readonly now: () => number;
  /** The changes of the tables that were made now, by name. */
  readonly migrated: readonly string[];
  /** Names of spooled tokens that cannot be decrypted. */
  readonly unreadable: readonly string[];
  readonly close: () => Promise<void>;
}

const databaseOf = ({ databaseUrl, data }: Config, shared: boolean): DatabaseSource =>
  databaseUrl === undefined ? { path: path.join(data, 'svc.db'), shared } : { url: databaseUrl };

type Opened = Awaited<ReturnType<typeof openStorage>>;

async function openStorage({ config, shared = false }: PartsOptions) {
  makeDataFolder(config.data);
  const { database, lock, now, migrated, close } = await openDatabase(databaseOf(config, shared));
  const storage = createStorage(database);
  try {
    const rootKeys = await loadRootKeys({
      value: config.rootKey,
      previous: config.previousRootKeys,
      file: path.join(config.data, 'root.key'),
      random: randomBytes,
    });
    const digest = await openPepper({ storage, rootKeys, random: randomBytes });
    return { storage, lock, now, rootKeys, digest, migrated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function createParts({ config }: PartsOptions, opened: Opened): Omit<Parts, 'unreadable'> {
  const { storage, lock, now, rootKeys, digest, migrated, close } = opened;
  const callers = createCallers();
  const catalog = loadCatalog({ folders: config.catalogFolders });
  const agent = createAgent({ allowedOrigins: config.allowedOrigins });
  const authorization = createAuthorization({
    storage,
    lock,
    spool: openSpool(path.join(config.data, 'spool')),
    rootKeys,
    digest,
    caller: callers.current,
    connectors: catalog.connectors,
    fetch: createFetch(agent),
    environmentUrl: config.environmentUrl,
    clientMetadataUrl: config.clientMetadataUrl,
    isAllowedOrigin: ({ origin }) => config.allowedOrigins.includes(origin),
    now,
    random: randomBytes,
    jitter: Math.random,
    wait,
  });
  return {
    catalog,
    callers,
    storage,
    rootKeys,
    digest,
    authorization,
    agent,
    now,
    migrated,
    close: async () => {
      authorization.keepTokens.close();
      await agent.close();
      await close();
    },
  };
}

/** Opens the database and builds what works on it. Throws one sentence when it cannot. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const opened = await openStorage(options);
  try {
    const parts = createParts(options, opened);
    const unreadable = options.shared ? [] : await parts.authorization.keepTokens.load();
    return { ...parts, unreadable };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
