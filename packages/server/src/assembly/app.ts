import type { Catalog } from '@svc/catalog';
import type { FastifyInstance } from 'fastify';
import type { Applications } from '../applications/applications.js';
import type { Config } from '../config/config.js';
import type { Connections } from '../connections/connections.js';
import type { ReadSandboxSettings } from '../connections/sandbox-connections.js';
import { listenAlso } from '../http/listen-also.js';
import type { ListenAddress } from '../http/probe-address.js';
import { createHttpServer } from '../listener/http-server.js';
import type { Log } from '../log/log.js';
import type { Operators } from '../operators/operators.js';
import type { SignInLinks } from '../operators/sign-in-links.js';
import { createEventLogger } from '../records/commit.js';
import { TOOL_REQUEST } from '../routes/tool-routes.js';
import { startBackground } from './background.js';
import { createCalls } from './calls.js';
import { createChooseHotRoute } from './choose-hot-route.js';
import { createHealthMeters, createServiceHealth, type HealthMeters } from './health.js';
import { createHotRoutes } from './hot-routes.js';
import { countRequests, createMetrics, type Metrics, type OpenedMetrics } from './metrics.js';
import { openParts, type PartsOptions } from './parts.js';
import { addRoutes } from './routes.js';
import { createService, type Service } from './service.js';
import { createSubscriptions } from './subscriptions.js';

export interface AppOptions extends Pick<PartsOptions, 'emulatedOrigins'> {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** Reads the settings of connections to the sandbox. Absent if the sandbox does not run. */
  readonly readSandboxSettings?: ReadSandboxSettings | undefined;
}

/** Complete service that does not listen on its ports yet. */
export interface App {
  readonly server: FastifyInstance;
  readonly applications: Applications;
  readonly connections: Connections;
  readonly operators: Operators;
  readonly signInLinks: SignInLinks;
  readonly catalog: Catalog;
  /** Makes `/readyz` report success. Called after the bootstrap has created the first application. */
  readonly becomeReady: () => void;
  /**
   * Loads the modules for upstream requests. Called shortly after the start, so that neither the start nor the first
   * call waits for these modules.
   */
  readonly prepare: () => void;
  /** Starts to listen on an address. Call it for the service's own port before calling it for the proxy port. */
  readonly listen: (address: ListenAddress) => Promise<void>;
}

interface ServerParts {
  readonly metrics: Metrics | undefined;
  readonly meters: HealthMeters;
  readonly isReady: () => boolean;
}

interface Servers {
  readonly server: FastifyInstance;
  /** Metrics of this process, and the HTTP server of the metrics port. Absent if metrics are off. */
  readonly metrics: OpenedMetrics | undefined;
}

/** Returns the checks of tool calls for the hot route. Fastify has compiled them from the schemas. */
const toolChecksOf = ({ findRequestCheck }: FastifyInstance) => ({
  params: findRequestCheck(TOOL_REQUEST.params, 'params'),
  querystring: findRequestCheck(TOOL_REQUEST.querystring, 'querystring'),
  body: findRequestCheck(TOOL_REQUEST.body, 'body'),
});

async function createServers(
  { config, emulatedOrigins = [], readSandboxSettings, version }: AppOptions,
  service: Service,
  { metrics: counted, meters, isReady }: ServerParts,
): Promise<Servers> {
  const { approvals, executionLog, failedRequests, log, parts, sharedRates } = service;
  const server = await createHttpServer({
    log,
    version,
    environmentUrl: config.environmentUrl,
    trustedProxies: config.trustedProxies,
    callers: parts.callers,
    recordFailure: failedRequests.record,
    limits: { total: config.maxConnections, perAddress: config.maxConnectionsPerAddress },
    plainRuntime: config.plainRuntime,
  });
  const calls = createCalls(parts, { config, version, executionLog, approvals, metrics: counted?.count });
  const subscriptions = createSubscriptions(parts, {
    environmentUrl: config.environmentUrl,
    execute: calls.execute,
  });
  const health = createServiceHealth(service, { config, version, calls, meters });
  const sharing = await sharedRates?.start(() => JSON.stringify(health.own.read()));
  const background = startBackground(service, { calls, config, health, metrics: counted?.count });
  const metrics = counted?.open({ service, calls, isReady });
  server.addHook('onClose', async () => {
    await metrics?.close();
    await background.close();
    await sharing?.close();
    await executionLog.close();
    await failedRequests.close();
    await parts.close();
  });
  const { hot, operatedTool } = createHotRoutes(service, {
    config,
    version,
    calls,
    expectUpload: server.expectUpload,
    checks: toolChecksOf(server),
  });
  server.serveFirst(createChooseHotRoute(hot));
  addRoutes(server, service, {
    config,
    version,
    isReady,
    hot,
    operatedTool,
    metrics,
    health: health.model,
    subscriptions,
    readSandboxSettings,
    emulated: emulatedOrigins.map(({ connector }) => connector),
  });
  await server.ready();
  return { server, metrics };
}

function createListen({ server, metrics }: Servers, config: Config): App['listen'] {
  const { maxConnections, proxyAddress } = config;
  return async function listen({ host, port }) {
    if (port === config.metrics?.port) return metrics?.listen({ host, port });
    if (port !== proxyAddress?.port) return void (await server.listen({ host, port }));
    const proxyServer = await listenAlso(server.server, { host, port });
    proxyServer.maxConnections = maxConnections;
    server.acceptingServers.add(proxyServer);
  };
}

/**
 * Creates the service with all of its components. Throws an error with a message of one sentence if the service cannot
 * start.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, emulatedOrigins, version } = options;
  const metrics = createMetrics(config, version);
  const log = metrics ? countRequests(options.log, metrics.count) : options.log;
  const meters = createHealthMeters();
  const parts = await openParts({
    config,
    emulatedOrigins,
    onFault: log.fault,
    onChange: createEventLogger(log),
    onQuery: (ms, error) => {
      meters.statements.count(ms);
      metrics?.count.countQuery(ms, error);
    },
    onRefresh: (connector, outcome) => {
      meters.countRefresh(outcome);
      metrics?.count.countRefresh(connector, outcome);
    },
  });
  for (const name of parts.unreadable)
    log.fault(
      'refreshed tokens in a file cannot be decrypted and stored; restore the root key that encrypted them',
      new Error(name),
    );
  let isReady = false;
  try {
    const service = createService(parts, {
      config,
      log,
      onRefused: metrics?.count.countRefusal,
      onDelivery: metrics?.count.countDelivery,
    });
    const servers = await createServers(options, service, { metrics, meters, isReady: () => isReady });
    const { server } = servers;
    const { applications, connections, operators, signInLinks } = parts.core;
    return {
      server,
      applications,
      connections,
      operators,
      signInLinks,
      catalog: parts.catalog,
      becomeReady: () => {
        isReady = true;
      },
      prepare: parts.agent.prepare,
      listen: createListen(servers, config),
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}
