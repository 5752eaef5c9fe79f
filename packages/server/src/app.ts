import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Catalog, loadCatalog } from '@svc/catalog';
import type { FastifyInstance } from 'fastify';
import type { Applications } from './accounts/applications.js';
import { type Authorization, createAuthorization } from './accounts/authorization.js';
import type { Connections } from './accounts/connections.js';
import { createExecutionLog, type ExecutionLog } from './accounts/execution-log.js';
import { createIdempotency, type Idempotency } from './accounts/idempotency.js';
import { checkRootKey, loadRootKey } from './accounts/root-key.js';
import { type Callers, createCallers } from './caller.js';
import type { Config } from './config.js';
import { createAgent } from './http/agent.js';
import { createFetch } from './http/fetch.js';
import { createSend } from './http/send.js';
import { createHttpServer } from './http-server.js';
import type { Log } from './log.js';
import { accountRoutes } from './routes/accounts.js';
import { requireApplication } from './routes/application.js';
import { catalogueRoutes } from './routes/catalogue.js';
import { connectRoutes } from './routes/connect.js';
import { connectionRoutes } from './routes/connections.js';
import { executionRoutes } from './routes/executions.js';
import { healthRoutes } from './routes/health.js';
import { addIdempotency } from './routes/idempotency.js';
import { addJsonBody } from './routes/json-body.js';
import { oauthTokenRoutes } from './routes/oauth-token.js';
import { proxyRoutes } from './routes/proxy.js';
import { toolRoutes } from './routes/tools.js';
import { makeDataFolder } from './storage/data-folder.js';
import { type DatabaseSource, openDatabase } from './storage/database.js';
import { createStorage, type Storage } from './storage/storage.js';
import { createExecute } from './tools/execute.js';
import { handlers } from './tools/handlers/index.js';
import { createExecutions } from './upstream/execution.js';
import { createForward } from './upstream/forward.js';
import { createLimiter } from './upstream/limiter.js';
import { createMcp } from './upstream/mcp.js';
import { createProxyRouter } from './upstream/proxy-route.js';
import { createRetryBudget } from './upstream/retry.js';

export interface AppOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
}

/** The service, ready to listen. */
export interface App {
  readonly server: FastifyInstance;
  readonly applications: Applications;
  readonly connections: Connections;
  readonly catalog: Catalog;
}

interface Parts {
  readonly version: string;
  readonly catalog: Catalog;
  readonly callers: Callers;
  readonly storage: Storage;
  readonly authorization: Authorization;
  readonly executionLog: ExecutionLog;
  readonly idempotency: Idempotency;
  readonly agent: ReturnType<typeof createAgent>;
}

const now = () => Date.now();

const databaseOf = ({ databaseUrl, data }: Config): DatabaseSource =>
  databaseUrl === undefined ? { path: path.join(data, 'svc.db') } : { url: databaseUrl };

type Opened = Awaited<ReturnType<typeof openStorage>>;

async function openStorage({ config }: AppOptions) {
  makeDataFolder(config.data);
  const { database, lock, close } = await openDatabase(databaseOf(config));
  const storage = createStorage(database);
  try {
    const rootKey = loadRootKey({
      value: config.rootKey,
      file: path.join(config.data, 'root.key'),
      random: randomBytes,
    });
    await checkRootKey(rootKey, storage);
    return { storage, lock, rootKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function createParts({ config, log, version }: AppOptions, opened: Opened): Parts {
  const { storage, lock, rootKey } = opened;
  const callers = createCallers();
  const catalog = loadCatalog({ folders: config.catalogFolders });
  const agent = createAgent({ allowedOrigins: config.allowedOrigins });
  const authorization = createAuthorization({
    storage,
    lock,
    rootKey,
    caller: callers.current,
    connectors: catalog.connectors,
    fetch: createFetch(agent),
    environmentUrl: config.environmentUrl,
    isAllowedOrigin: ({ origin }) => config.allowedOrigins.includes(origin),
    now,
    random: randomBytes,
    jitter: Math.random,
    wait,
  });
  return {
    version,
    catalog,
    callers,
    storage,
    authorization,
    agent,
    executionLog: createExecutionLog({
      storage,
      onError: (error) => log.fault('executions were not written', error),
    }),
    idempotency: createIdempotency({
      storage,
      rootKey,
      vault: authorization.vault,
      now,
      random: randomBytes,
    }),
  };
}

function createTail({ version, catalog, authorization, agent, executionLog }: Parts) {
  const { resolve, credentials, demandScopes } = authorization;
  const date = () => new Date();
  const randomId = () => randomUUID().replaceAll('-', '');
  const forward = createForward({
    connectors: catalog.connectors,
    credentials,
    send: createSend(agent),
    limiter: createLimiter(),
  });
  const beginExecution = createExecutions({ record: executionLog.record, now: date, randomId });
  const execute = createExecute({
    catalog,
    resolve,
    handlers,
    forward,
    openMcp: createMcp({ forward, credentials, demandScopes, version, now: date }),
    beginExecution,
    budget: createRetryBudget(date),
    now: date,
    random: Math.random,
    randomId,
    sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
  });
  return { resolve, forward, beginExecution, execute };
}

/** Routes of an application, which names itself by an access token. */
function addApplicationRoutes(server: FastifyInstance, parts: Parts): void {
  const { authorization, catalog, executionLog, idempotency } = parts;
  const { applications, accounts, connections, links } = authorization;
  const { resolve, forward, beginExecution, execute } = createTail(parts);
  server.register(async (own) => {
    own.addHook('onRequest', requireApplication({ applications }));
    own.register(
      proxyRoutes({ resolve, route: createProxyRouter(catalog.connectors), forward, beginExecution }),
    );
    own.register(async (json) => {
      addJsonBody(json);
      addIdempotency(json, { idempotency });
      json.register(catalogueRoutes({ catalog }));
      json.register(connectionRoutes({ connections }));
      json.register(accountRoutes({ accounts, links }));
      json.register(toolRoutes({ execute }));
      json.register(executionRoutes({ executionLog }));
    });
  });
}

/** Builds every part of the service and puts them together. Throws one sentence when it cannot start. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, log, version } = options;
  const { environmentUrl } = config;
  const opened = await openStorage(options);
  const { storage, close } = opened;
  try {
    const parts = createParts(options, opened);
    const { authorization, agent, callers, executionLog, catalog } = parts;
    const { applications, authorize, connections } = authorization;
    const server = await createHttpServer({ log, environmentUrl, version, callers });
    server.addHook('onClose', async () => {
      await executionLog.close();
      await agent.close();
      await close();
    });
    server.register(healthRoutes({ ping: storage.settings.ping }));
    server.register(oauthTokenRoutes({ applications }));
    server.register(connectRoutes({ authorize, environmentUrl }));
    addApplicationRoutes(server, parts);
    await server.ready();
    return { server, applications, connections, catalog };
  } catch (error) {
    await close();
    throw error;
  }
}
