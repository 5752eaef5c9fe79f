import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Catalog, loadCatalog } from '@svc/catalog';
import type { Callers } from '../caller.js';
import type { Config } from '../config/config.js';
import { createAgent, type Outgoing } from '../http/agent.js';
import { createFetch, type Fetch } from '../http/fetch.js';
import {
  AGENT_ORIGINS,
  type AllowedOrigin,
  checkAllowedOrigins,
  createIsAllowedOrigin,
  type IsAllowedOrigin,
} from '../names/allowed-origins.js';
import { createCommit, type OnChange } from '../records/commit.js';
import { createRefusedAddresses } from '../records/refused-addresses.js';
import { openSpool } from '../storage/spool.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { RootKeys } from '../vault/root-keys.js';
import { type Authorization, createAuthorization } from './authorization.js';
import { type OpenedStorage, openStorage, type StorageOptions } from './open-storage.js';

export interface PartsOptions extends StorageOptions {
  /** Of emulators beside the service, which no setting lists. */
  readonly emulatedOrigins?: readonly AllowedOrigin[];
  /** Told of what went wrong where nobody waits for it. */
  readonly onFault?: (message: string, error: unknown) => void;
  readonly onChange?: OnChange;
}

/** What the service and every command stand on. */
export interface Parts {
  readonly catalog: Catalog;
  readonly callers: Callers;
  readonly storage: Storage;
  readonly rootKeys: RootKeys;
  readonly digest: Digest;
  readonly authorization: Authorization;
  readonly agent: Outgoing;
  readonly isAllowedOrigin: IsAllowedOrigin;
  /** To authorization servers. */
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Copies the database into a new file. Throws where that is for others to do. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** The changes of the tables that were made now, by name. */
  readonly migrated: readonly string[];
  /** Names of spooled tokens that cannot be decrypted. */
  readonly unreadable: readonly string[];
  readonly close: () => Promise<void>;
}

// Longer than what instances know of each other takes, and short beside the 5 minutes of a data key (rule K5).
const ALONE_KEPT_MS = 60_000;

/** A process alone with its database and its root key hears of every change of an account, because it makes them all. */
const isAlone = ({ databaseUrl }: Config, { keyFile }: RootKeys): boolean =>
  databaseUrl === undefined && keyFile !== undefined;

const allOrigins = ({ config, emulatedOrigins = [] }: PartsOptions): readonly AllowedOrigin[] => [
  ...config.allowedOrigins,
  ...emulatedOrigins,
];

/** The one client for everything outgoing; what it refuses is audited. */
function createWayOut(options: PartsOptions, { storage, callers, now }: OpenedStorage) {
  const { onFault, onChange } = options;
  const refusedAddresses = createRefusedAddresses({
    commit: createCommit({ storage, caller: callers.current, now, random: randomBytes, onChange }),
    caller: callers.current,
    now,
    onError: (error) => onFault?.('a refused address was not audited', error),
  });
  const agent = createAgent({
    allowedOrigins: allOrigins(options),
    onBlocked: refusedAddresses.record,
    plainRuntime: options.config.plainRuntime,
  });
  return {
    agent,
    close: async () => {
      await agent.close();
      await refusedAddresses.written();
    },
  };
}

function createParts(
  options: PartsOptions,
  catalog: Catalog,
  opened: OpenedStorage,
): Omit<Parts, 'unreadable'> {
  const { config } = options;
  const { storage, callers, lock, innerLock, now, rootKeys, digest, copyDatabase, migrated, close } = opened;
  const { agent, close: closeWay } = createWayOut(options, opened);
  const fetch = createFetch(agent, { application: () => callers.current().applicationId });
  const isAllowedOrigin = createIsAllowedOrigin(allOrigins(options));
  const authorization = createAuthorization({
    storage,
    lock,
    innerLock,
    spool: openSpool(path.join(config.data, 'spool')),
    rootKeys,
    digest,
    caller: callers.current,
    onChange: options.onChange,
    connectors: catalog.connectors,
    tools: catalog.tools,
    fetch,
    environmentUrl: config.environmentUrl,
    clientMetadataUrl: config.clientMetadataUrl,
    isAllowedOrigin,
    now,
    accountsKeptMs: isAlone(config, rootKeys) ? ALONE_KEPT_MS : undefined,
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
    isAllowedOrigin,
    fetch,
    now,
    copyDatabase,
    migrated,
    close: async () => {
      await authorization.keepTokens.close();
      await closeWay();
      await close();
    },
  };
}

/** The catalogue, whose connectors are those that settings may name. */
export function readCatalog({ catalogFolders, allowedOrigins }: Config): Catalog {
  const catalog = loadCatalog({ folders: catalogFolders });
  checkAllowedOrigins(allowedOrigins, [...catalog.connectors.keys(), AGENT_ORIGINS]);
  return catalog;
}

/** Opens the database and builds what works on it. Throws one sentence when it cannot. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const catalog = readCatalog(options.config);
  const opened = await openStorage(options);
  try {
    const parts = createParts(options, catalog, opened);
    const unreadable = options.shared ? [] : await parts.authorization.keepTokens.load();
    return { ...parts, unreadable };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
