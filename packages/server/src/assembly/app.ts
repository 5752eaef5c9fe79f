import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Catalog } from '@svc/catalog';
import type { FastifyInstance } from 'fastify';
import type { Applications } from '../applications/applications.js';
import { createIdempotency, type Idempotency } from '../applications/idempotency.js';
import { createApprovals } from '../approvals/approvals.js';
import type { Config } from '../config/config.js';
import type { Connections } from '../connections/connections.js';
import { limitCalls } from '../front/limit-calls.js';
import { createGrants, type Grants } from '../grants/grants.js';
import { listenAlso } from '../http/listen-also.js';
import type { ListenAddress } from '../http/probe-address.js';
import { createRateLimits, type RateLimits } from '../limits/rate-limits.js';
import { createSharedRates, type SharedRates } from '../limits/shared-rates.js';
import { createBuiltFiles } from '../listener/built-files.js';
import { createHttpServer } from '../listener/http-server.js';
import type { Log } from '../log/log.js';
import type { Operators } from '../operators/operators.js';
import type { SignInLinks } from '../operators/sign-in-links.js';
import { newId } from '../random.js';
import { createExecutionLog } from '../records/execution-log.js';
import { logChanges } from '../records/log-changes.js';
import { agentAuthorizeRoutes } from '../routes/agents/authorize.js';
import { agentMetadataRoutes } from '../routes/agents/metadata.js';
import { agentRegisterRoutes } from '../routes/agents/register.js';
import { agentTokenRoutes } from '../routes/agents/token.js';
import { clientMetadataRoutes } from '../routes/client-metadata.js';
import { connectRoutes } from '../routes/connect/connect.js';
import { dashboardRoutes } from '../routes/dashboard.js';
import { healthRoutes } from '../routes/health.js';
import { oauthTokenRoutes } from '../routes/oauth-token.js';
import { operatorRoutes } from '../routes/operator/operator-routes.js';
import { createReadOverview } from '../routes/operator/read-overview.js';
import { protectedResourceRoutes } from '../routes/protected-resource.js';
import { limitRate } from '../routes/rate-limits.js';
import { addApplicationRoutes, operatedRoutes } from './application-routes.js';
import { startBackground } from './background.js';
import { openParts, type Parts, type PartsOptions } from './parts.js';
import { createReadHealth } from './service-health.js';
import { createTail, type TailParts } from './tail.js';

/** Beside what is built; a service that runs from its sources takes what was built before. */
const DASHBOARD = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/dashboard' : 'dashboard', import.meta.url),
);

export interface AppOptions extends Pick<PartsOptions, 'emulatedOrigins'> {
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
  readonly signInLinks: SignInLinks;
  readonly catalog: Catalog;
  /** From now on `/readyz` says so: the first application is there. */
  readonly becomeReady: () => void;
  /** Loads what the first call to an upstream would wait for, and no start has to. */
  readonly prepare: () => void;
  /** Lets callers in: at the port of the service first, at that of the second address after it. */
  readonly listen: (address: ListenAddress) => Promise<void>;
}

export interface ServerParts extends TailParts {
  readonly log: Log;
  readonly isReady: () => boolean;
  readonly idempotency: Idempotency;
  readonly grants: Grants;
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
    approvals: createApprovals({
      storage,
      digest,
      ...authorization,
      caller: parts.callers.current,
      connectors: parts.catalog.connectors,
      environmentUrl: config.environmentUrl,
      now,
      random: randomBytes,
    }),
    grants: createGrants({
      ...parts,
      ...authorization,
      environmentUrl: config.environmentUrl,
      random: randomBytes,
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

async function createServer(options: AppOptions, parts: ServerParts): Promise<FastifyInstance> {
  const { environmentUrl, trustedProxies, maxConnections, maxConnectionsPerAddress, plainRuntime } =
    options.config;
  const { authorization, callers, executionLog, storage, isReady, rateLimits, sharedRates, close } = parts;
  const { signIn, authorize, clientMetadata, describe, origins } = authorization;
  const sharing = await sharedRates?.start();
  const server = await createHttpServer({
    ...options,
    environmentUrl,
    trustedProxies,
    callers,
    limits: { total: maxConnections, perAddress: maxConnectionsPerAddress },
    plainRuntime,
  });
  const background = startBackground({ ...options, ...parts });
  server.addHook('onClose', async () => {
    await background.close();
    await sharing?.close();
    await executionLog.close();
    await close();
  });
  server.register(dashboardRoutes({ dashboardFiles: createBuiltFiles(DASHBOARD), environmentUrl }));
  server.register(healthRoutes({ ping: storage.settings.ping, isReady }));
  server.register(oauthTokenRoutes({ signIn, rateLimiter: rateLimits.application }));
  const { catalog, grants } = parts;
  const limitAddress = limitRate(limitCalls(rateLimits.address));
  server.register(async (open) => {
    open.addHook('onRequest', async (request, reply) => limitAddress(request, reply, request.address));
    open.register(
      connectRoutes({ log: options.log, ...parts.approvals, authorize, describe, environmentUrl }),
    );
    open.register(clientMetadataRoutes({ clientMetadata }));
    open.register(protectedResourceRoutes({ catalog, ...grants, environmentUrl }));
    open.register(agentMetadataRoutes({ ...grants, environmentUrl }));
    open.register(agentAuthorizeRoutes({ log: options.log, ...grants, environmentUrl }));
    open.register(agentTokenRoutes({ ...grants, origins }));
    open.register(agentRegisterRoutes({ ...grants, origins }));
  });
  const ways = { ...parts, ...createTail(parts) };
  const operated = operatedRoutes(ways);
  const readHealth = createReadHealth(parts);
  const readOverview = createReadOverview({ ...parts, ...authorization });
  server.register(operatorRoutes({ ...authorization, environmentUrl, readHealth, readOverview, operated }));
  addApplicationRoutes(server, ways);
  await server.ready();
  return server;
}

function createListen(server: FastifyInstance, { maxConnections, proxyAddress }: Config): App['listen'] {
  return async ({ host, port }) => {
    if (port !== proxyAddress?.port) return void (await server.listen({ host, port }));
    const door = await listenAlso(server.server, { host, port });
    door.maxConnections = maxConnections;
    server.acceptingServers.add(door);
  };
}

/** Builds every part of the service and puts them together. Throws one sentence when it cannot start. */
export async function createApp(options: AppOptions): Promise<App> {
  const parts = await openParts({
    ...options,
    onFault: options.log.fault,
    onChange: logChanges(options.log),
  });
  const { applications, connections, operators, signInLinks } = parts.authorization;
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
    const { agent, catalog } = parts;
    const listen = createListen(server, options.config);
    const ways = { becomeReady, prepare: agent.prepare, listen };
    return { server, applications, connections, operators, signInLinks, catalog, ...ways };
  } catch (error) {
    await parts.close();
    throw error;
  }
}
