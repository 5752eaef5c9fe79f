import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Catalog, loadCatalog } from '@svc/catalog';
import type { Callers } from '../caller.js';
import type { Config } from '../config/config.js';
import { createLateEnd, type EndSubscriptions } from '../connections/end-subscriptions.js';
import type { OnRefresh } from '../connections/refresh.js';
import { createServiceEvents, type ServiceEvents } from '../events/service-events.js';
import { createAgent, type Outgoing } from '../http/agent.js';
import { createFindEgressProxy } from '../http/egress-proxy.js';
import { createFetch, type Fetch } from '../http/fetch.js';
import { createSend } from '../http/send-http.js';
import {
  AGENT_ORIGINS,
  type AllowedOrigin,
  checkAllowedOrigins,
  createIsAllowedOrigin,
  type IsAllowedOrigin,
  LINK_ORIGINS,
  WEBHOOK_ORIGINS,
} from '../names/allowed-origins.js';
import { createCommit, type OnChange } from '../records/commit.js';
import { createRefusedAddresses } from '../records/refused-addresses.js';
import type { PoolUse } from '../storage/dialect.js';
import { openSpool } from '../storage/spool.js';
import type { Storage } from '../storage/storage.js';
import { createSendVerifyRequest } from '../upstream/send-verify-request.js';
import type { Digest } from '../vault/pepper.js';
import type { RootKeys } from '../vault/root-keys.js';
import { type Core, createCore } from './core.js';
import type { CoreParts } from './core-parts.js';
import { type OpenedStorage, openStorage, type StorageOptions } from './open-storage.js';

export interface PartsOptions extends StorageOptions {
  /**
   * Origins of the sandbox's emulators. The service may connect to them in addition to those in SVC_ALLOWED_ORIGINS.
   */
  readonly emulatedOrigins?: readonly AllowedOrigin[] | undefined;
  /** Called with each error of background work, because no caller waits for that work. */
  readonly onFault?: (message: string, error: unknown) => void;
  readonly onChange?: OnChange;
  /** Called with the outcome of each token refresh that this process attempts. */
  readonly onRefresh?: OnRefresh | undefined;
}

/** Components that both the service and every command of the CLI need. */
export interface Parts {
  readonly catalog: Catalog;
  readonly callers: Callers;
  readonly storage: Storage;
  readonly rootKeys: RootKeys;
  readonly digest: Digest;
  readonly core: Core;
  readonly serviceEvents: ServiceEvents;
  /** Sets the function that ends the webhook subscriptions of an account. Until then, no subscriptions are ended. */
  readonly useEndSubscriptions: (end: EndSubscriptions) => void;
  readonly agent: Outgoing;
  readonly isAllowedOrigin: IsAllowedOrigin;
  /** Sends HTTP requests to OAuth authorization servers. */
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Returns the current use of each connection pool of the database. */
  readonly pools: () => readonly PoolUse[];
  /** Copies the database to a new file. Throws for PostgreSQL, which has its own backup tools. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** Names of the database migrations that this start has run. */
  readonly migrated: readonly string[];
  /**
   * Names of the spool files whose tokens cannot be decrypted. The spool stores new tokens while the database is
   * unavailable.
   */
  readonly unreadable: readonly string[];
  readonly close: () => Promise<void>;
}

// Time in milliseconds for which connected accounts are cached if this process is the only instance. With several
// instances, it is 5 s. It must be shorter than the 5 minutes for which data keys are cached (rule K5 in
// security-rules.md).
const ALONE_CACHE_MS = 60_000;

/**
 * Returns true if no other process can change accounts, because both the database and the root keys are local files.
 */
const isAlone = ({ databaseUrl }: Config, { keyFile }: RootKeys): boolean =>
  databaseUrl === undefined && keyFile !== undefined;

const allOrigins = ({ config, emulatedOrigins = [] }: PartsOptions): readonly AllowedOrigin[] => [
  ...config.allowedOrigins,
  ...emulatedOrigins,
];

/**
 * Creates the client for all outgoing HTTP requests. It writes an audit event for each address to which it refuses to
 * connect.
 */
function createOutgoing(options: PartsOptions, catalog: Catalog, { storage, callers, now }: OpenedStorage) {
  const { onFault, onChange } = options;
  const refusedAddresses = createRefusedAddresses({
    commit: createCommit({ storage, caller: callers.current, now, random: randomBytes, onChange }),
    caller: callers.current,
    now,
    onError: (error) =>
      onFault?.(
        'a refused upstream address is missing in the audit log, because the database failed; check the database',
        error,
      ),
  });
  const allowedOrigins = allOrigins(options);
  const agent = createAgent({
    allowedOrigins,
    onBlocked: refusedAddresses.record,
    findEgressProxy: createFindEgressProxy(options.config.egressProxies),
    plainRuntime: options.config.plainRuntime,
  });
  return {
    agent,
    fetch: createFetch(agent, { application: () => callers.current().applicationId }),
    isAllowedOrigin: createIsAllowedOrigin(allowedOrigins),
    verifyCredential: createSendVerifyRequest({ connectors: catalog.connectors, send: createSend(agent) }),
    close: async () => {
      await agent.close();
      await refusedAddresses.written();
    },
  };
}

interface OtherParts {
  readonly catalog: Catalog;
  readonly outgoing: ReturnType<typeof createOutgoing>;
  readonly serviceEvents: ServiceEvents;
  readonly endSubscriptions: EndSubscriptions;
}

function coreParts(
  { config, onChange, onRefresh }: PartsOptions,
  { storage, callers, lock, innerLock, now, rootKeys, digest }: OpenedStorage,
  { catalog, outgoing, serviceEvents, endSubscriptions }: OtherParts,
): CoreParts {
  const { fetch, isAllowedOrigin, verifyCredential } = outgoing;
  return {
    endSubscriptions,
    storage,
    lock,
    innerLock,
    spool: openSpool(path.join(config.data, 'spool')),
    rootKeys,
    digest,
    caller: callers.current,
    onChange,
    reporter: serviceEvents,
    onRefresh,
    connectors: catalog.connectors,
    tools: catalog.tools,
    fetch,
    verifyCredential,
    environmentUrl: config.environmentUrl,
    clientMetadataUrl: config.clientMetadataUrl,
    isAllowedOrigin,
    now,
    accountCacheMs: isAlone(config, rootKeys) ? ALONE_CACHE_MS : undefined,
    random: randomBytes,
    jitter: Math.random,
    wait,
  };
}

async function createParts(options: PartsOptions, catalog: Catalog, opened: OpenedStorage): Promise<Parts> {
  const { storage, callers, now, rootKeys, digest } = opened;
  const outgoing = createOutgoing(options, catalog, opened);
  const serviceEvents = createServiceEvents({ now, random: randomBytes });
  const { endSubscriptions, use: useEndSubscriptions } = createLateEnd();
  const core = createCore(
    coreParts(options, opened, {
      catalog,
      outgoing,
      serviceEvents,
      endSubscriptions,
    }),
  );
  return {
    catalog,
    callers,
    storage,
    rootKeys,
    digest,
    core,
    serviceEvents,
    useEndSubscriptions,
    agent: outgoing.agent,
    isAllowedOrigin: outgoing.isAllowedOrigin,
    fetch: outgoing.fetch,
    now,
    pools: opened.pools,
    copyDatabase: opened.copyDatabase,
    migrated: opened.migrated,
    unreadable: options.shared ? [] : await core.tokenWriter.load(),
    close: async () => {
      await core.tokenWriter.close();
      await outgoing.close();
      await opened.close();
    },
  };
}

/** Loads the catalogue. Throws if SVC_ALLOWED_ORIGINS names an unknown connector. */
export function readCatalog({ catalogFolders, allowedOrigins }: Config): Catalog {
  const catalog = loadCatalog({ folders: catalogFolders });
  checkAllowedOrigins(allowedOrigins, [
    ...catalog.connectors.keys(),
    AGENT_ORIGINS,
    LINK_ORIGINS,
    WEBHOOK_ORIGINS,
  ]);
  return catalog;
}

/**
 * Opens the database and creates the components that use it. Throws an error with a message of one sentence if that
 * fails.
 */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const catalog = readCatalog(options.config);
  const opened = await openStorage(options);
  try {
    return await createParts(options, catalog, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}
