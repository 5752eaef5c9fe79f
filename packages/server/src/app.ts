import { randomBytes } from 'node:crypto';
import type { Catalog } from '@svc/catalog';
import type { FastifyInstance } from 'fastify';
import { startBackground } from './background.js';
import type { Config } from './config/config.js';
import type { Connections } from './connections/connections.js';
import { createFront } from './hot/front.js';
import { TOOL_BODY } from './hot/tool.js';
import { createHotPath } from './hot-path.js';
import { createHttpServer } from './listener/http-server.js';
import type { Log } from './log.js';
import { openParts, type Parts } from './parts.js';
import { newId } from './random.js';
import { createExecutionLog } from './records/execution-log.js';
import { logChanges } from './records/log-changes.js';
import { accountRoutes } from './routes/accounts.js';
import { requireApplication } from './routes/application.js';
import { catalogueRoutes } from './routes/catalogue.js';
import { clientMetadataRoutes } from './routes/client-metadata.js';
import { connectRoutes } from './routes/connect.js';
import { connectionRoutes } from './routes/connections.js';
import { executionRoutes } from './routes/executions.js';
import { healthRoutes } from './routes/health.js';
import { addIdempotency } from './routes/idempotency.js';
import { addJsonBody } from './routes/json-body.js';
import { oauthTokenRoutes } from './routes/oauth-token.js';
import { operatorRoutes } from './routes/operator/operator-routes.js';
import { proxyRoutes } from './routes/proxy.js';
import { limitRate } from './routes/rate-limits.js';
import { addStrictRequests } from './routes/strict-requests.js';
import { toolRoutes } from './routes/tools.js';
import { createTail, type TailParts } from './tail.js';
import type { Applications } from './tenants/applications.js';
import { createIdempotency, type Idempotency } from './tenants/idempotency.js';
import type { Operators } from './tenants/operators.js';
import { createRateLimits, type RateLimits } from './tenants/rate-limits.js';
import { createSharedRates, type SharedRates } from './tenants/shared-rates.js';

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
  readonly operators: Operators;
  readonly catalog: Catalog;
  /** From now on `/readyz` says so: the first application is there. */
  readonly becomeReady: () => void;
}

interface ServerParts extends TailParts {
  readonly log: Log;
  readonly isReady: () => boolean;
  readonly idempotency: Idempotency;
  readonly rateLimits: RateLimits;
  /** Absent where no other process uses the database. */
  readonly sharedRates: SharedRates | undefined;
}

function createServerParts(
  { config, log, version }: AppOptions,
  parts: Parts,
  isReady: () => boolean,
): ServerParts {
  const { storage, digest, authorization, now } = parts;
  const { vault } = authorization;
  const clock = () => performance.now();
  const sharedRates =
    config.databaseUrl === undefined
      ? undefined
      : createSharedRates({
          rateBuckets: storage.rateBuckets,
          instanceId: newId('inst', randomBytes),
          now: clock,
          onError: (error) => log.fault('limits are not shared with other instances', error),
        });
  return {
    ...parts,
    log,
    config,
    version,
    isReady,
    executionLog: createExecutionLog({
      storage,
      onError: (error) => log.fault('executions were not written', error),
      onDropped: (count) => log.warn('executions were given up', { count }),
    }),
    sharedRates,
    rateLimits: createRateLimits({ rates: config.rates, now: clock, sharing: sharedRates?.sharing }),
    idempotency: createIdempotency({
      storage,
      digest,
      vault,
      now,
      random: randomBytes,
    }),
  };
}

/** Routes of an application, which names itself by an access token. */
function addApplicationRoutes(server: FastifyInstance, parts: ServerParts): void {
  const { authorization, catalog, executionLog, idempotency, rateLimits } = parts;
  const { signIn, accounts, connections, links, verifyApproval } = authorization;
  const { resolve, forward, beginExecution, execute, memory, limits } = createTail(parts);
  const limitApplication = limitRate(rateLimits.application);
  const limitAccount = limitRate(rateLimits.account);
  const ways = createHotPath({
    ...parts,
    resolve,
    forward,
    beginExecution,
    execute,
    memory,
    limits,
    expectUpload: server.expectUpload,
    checkBody: server.findRequestCheck(TOOL_BODY, 'body'),
  });
  server.serveFirst(createFront(ways));
  server.register(proxyRoutes(ways));
  server.register(async (own) => {
    own.addHook('onRequest', requireApplication({ signIn, limitApplication }));
    own.register(async (json) => {
      addJsonBody(json);
      addStrictRequests(json);
      addIdempotency(json, { idempotency });
      json.register(catalogueRoutes({ catalog }));
      json.register(connectionRoutes({ connections }));
      json.register(accountRoutes({ accounts, links, verifyApproval }));
      json.register(toolRoutes({ execute, limitAccount }));
      json.register(executionRoutes({ executionLog }));
    });
  });
}

async function createServer(options: AppOptions, parts: ServerParts): Promise<FastifyInstance> {
  const { environmentUrl, trustedProxies, maxConnections, maxConnectionsPerAddress } = options.config;
  const { authorization, callers, executionLog, storage, isReady, rateLimits, sharedRates, close } = parts;
  const { signIn, authorize, clientMetadata } = authorization;
  const sharing = await sharedRates?.start();
  const server = await createHttpServer({
    ...options,
    environmentUrl,
    trustedProxies,
    callers,
    limits: { total: maxConnections, perAddress: maxConnectionsPerAddress },
  });
  const background = startBackground({ ...options, ...parts });
  server.addHook('onClose', async () => {
    await background.close();
    await sharing?.close();
    await executionLog.close();
    await close();
  });
  server.register(healthRoutes({ ping: storage.settings.ping, isReady }));
  server.register(oauthTokenRoutes({ signIn, rateLimiter: rateLimits.application }));
  const limitAddress = limitRate(rateLimits.address);
  server.register(async (open) => {
    open.addHook('onRequest', async (request, reply) => limitAddress(request, reply, request.address));
    open.register(connectRoutes({ authorize, environmentUrl }));
    open.register(clientMetadataRoutes({ clientMetadata }));
  });
  server.register(operatorRoutes({ ...authorization, environmentUrl, executionLog }));
  addApplicationRoutes(server, parts);
  await server.ready();
  return server;
}

/** Builds every part of the service and puts them together. Throws one sentence when it cannot start. */
export async function createApp(options: AppOptions): Promise<App> {
  const parts = await openParts({
    ...options,
    onFault: options.log.fault,
    onChange: logChanges(options.log),
  });
  const { applications, connections, operators } = parts.authorization;
  for (const name of parts.unreadable)
    options.log.fault('spooled tokens cannot be decrypted', new Error(name));
  let isReady = false;
  const becomeReady = () => {
    isReady = true;
  };
  try {
    const server = await createServer(
      options,
      createServerParts(options, parts, () => isReady),
    );
    return { server, applications, connections, operators, catalog: parts.catalog, becomeReady };
  } catch (error) {
    await parts.close();
    throw error;
  }
}
