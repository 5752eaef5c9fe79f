import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { createSandboxConnections, type ReadSandboxSettings } from '../connections/sandbox-connections.js';
import { limitBearers, limitCalls } from '../front/limit-calls.js';
import type { ServeIdentified } from '../front/serve-api-request.js';
import type { HealthModel } from '../health/health.js';
import { createBuiltFiles } from '../listener/built-files.js';
import { mcpOperations } from '../mcp/document.js';
import { METRICS_PATH } from '../metrics/serve-metrics.js';
import { proxyRoutes } from '../proxy/document.js';
import { createSearch } from '../records/search.js';
import { addAccountRoutes, addVerificationRoute } from '../routes/account-routes.js';
import { addEtags } from '../routes/add-etags.js';
import { addIdempotency } from '../routes/add-idempotency.js';
import { addAgentAccessRoutes, addAgentSignInRoute } from '../routes/agents/agent-access-routes.js';
import { addAgentAuthorizeRoutes } from '../routes/agents/agent-authorize-routes.js';
import { addAgentMetadataRoute } from '../routes/agents/agent-metadata-routes.js';
import { addAgentRegisterRoute } from '../routes/agents/agent-register-routes.js';
import { addAgentTokenRoutes } from '../routes/agents/agent-token-routes.js';
import { addApprovalRoutes } from '../routes/approval-routes.js';
import { addCatalogueRoutes } from '../routes/catalogue-routes.js';
import { addClientMetadataRoute } from '../routes/client-metadata-routes.js';
import { addConnectRoutes } from '../routes/connect/connect-routes.js';
import { addConnectPreview } from '../routes/connect/preview-route.js';
import { addConnectionRoutes } from '../routes/connection-routes.js';
import { addDashboardRoutes, buildPage } from '../routes/dashboard-routes.js';
import { addDeliveryRoutes } from '../routes/delivery-routes.js';
import { addEndpointRoutes } from '../routes/endpoint-routes.js';
import { addEventRoutes } from '../routes/event-routes.js';
import { addExecutionRoutes } from '../routes/execution-routes.js';
import { addHealthRoutes } from '../routes/health-routes.js';
import { addHookRoutes } from '../routes/hook-routes.js';
import { addInsideApplication, INSIDE_APPLICATION } from '../routes/inside-application.js';
import { addJsonBody } from '../routes/json-body.js';
import { limitRate } from '../routes/limit-rate.js';
import { addOAuthTokenRoute } from '../routes/oauth-token-routes.js';
import { addCountRoutes } from '../routes/operator/count-routes.js';
import { addExportAccessRoutes } from '../routes/operator/export-access-routes.js';
import { addExportRoutes } from '../routes/operator/export-routes.js';
import { createReadOverview } from '../routes/operator/read-overview.js';
import { addSandboxConnectionRoute } from '../routes/operator/sandbox-connection-routes.js';
import { addPreflight } from '../routes/preflight.js';
import { addProtectedResourceRoutes } from '../routes/protected-resource-routes.js';
import { requireApplication } from '../routes/require-application.js';
import { addStrictRequests } from '../routes/strict-requests.js';
import { addSubscriptionRoutes } from '../routes/subscription-routes.js';
import { addIssueTokenRoutes, addTokenRoutes } from '../routes/token-routes.js';
import { addOperatedToolRoute, addToolRoute } from '../routes/tool-routes.js';
import { addWatchRoutes } from '../routes/watch-routes.js';
import { newId } from '../text/random.js';
import { createCheckTokenNames } from '../tokens/check-token-names.js';
import type { HotRoutes } from './choose-hot-route.js';
import type { OpenedMetrics } from './metrics.js';
import { addOperatorRoutes } from './operator-routes.js';
import type { Service } from './service.js';
import { createReadHealth } from './service-health.js';
import type { Subscriptions } from './subscriptions.js';

/**
 * Folder of the built dashboard. It is next to the bundled service, or in dist/ if the service runs from its source
 * code.
 */
const DASHBOARD = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/dashboard' : 'dashboard', import.meta.url),
);

interface RoutesParts {
  readonly config: Config;
  readonly version: string;
  readonly isReady: () => boolean;
  readonly hot: HotRoutes;
  readonly operatedTool: ServeIdentified;
  readonly metrics: OpenedMetrics | undefined;
  readonly health: HealthModel;
  readonly subscriptions: Subscriptions;
  readonly readSandboxSettings: ReadSandboxSettings | undefined;
  /** Ids of the connectors that the sandbox emulates. */
  readonly emulated: readonly string[];
}

/**
 * Adds the routes that need no token: consent and approval pages for users, and the OAuth routes that MCP clients call
 * before they have a token.
 */
function addPublic(
  server: FastifyInstance,
  { approvals, grants, log, parts, rateLimits }: Service,
  { config: { environmentUrl }, subscriptions }: Pick<RoutesParts, 'config' | 'subscriptions'>,
): void {
  const { catalog } = parts;
  const { authorize, clientMetadata, describe, origins } = parts.core;
  const { agentAccesses, agentGrants, agentSignIns, exchangeToken, registrations } = grants;
  const { callApprovals } = approvals;
  const limitAddress = limitRate(limitCalls(rateLimits.address));
  server.register(async (app) => {
    app.addHook('onRequest', async (request, reply) => limitAddress(request, reply, request.address));
    addConnectRoutes(app, { authorize, callApprovals, describe, environmentUrl, log });
    addClientMetadataRoute(app, { clientMetadata });
    addProtectedResourceRoutes(app, { catalog, agentAccesses, environmentUrl });
    addAgentMetadataRoute(app, { agentAccesses, environmentUrl });
    addAgentAuthorizeRoutes(app, { agentSignIns, environmentUrl, log });
    addAgentTokenRoutes(app, { agentGrants, exchangeToken, origins });
    addAgentRegisterRoute(app, { registrations, origins });
  });
  addHookRoutes(server, { receiveWebhook: subscriptions.receiveWebhook, rateLimits });
}

const checkTokenNamesOf = ({ catalog, core, storage }: Service['parts']) =>
  createCheckTokenNames({ catalog, storage, listConnections: core.connectionNames.read });

/**
 * Adds the routes that both the application API and the operator API contain, such as those for connections and
 * accounts.
 */
function addShared(
  app: FastifyInstance,
  { events, executionLog, grants, idempotencyKeys, parts, rateLimits, watches }: Service,
  { health, subscriptions }: Pick<RoutesParts, 'health' | 'subscriptions'>,
): void {
  const { accountList, accounts, checkConnection, connections, links, narrowedTokens, tokenUses } =
    parts.core;
  const { agentAccesses, agentClients, grantedList } = grants;
  addIdempotency(app, { beginRun: idempotencyKeys.beginRun });
  addEtags(app);
  addConnectionRoutes(app, { connections, checkConnection, health });
  addAccountRoutes(app, { accountList, accounts, links, tokenUses });
  addSubscriptionRoutes(app, {
    webhookSubscriptions: subscriptions.webhookSubscriptions,
    limitAccount: limitRate(limitCalls(rateLimits.account)),
  });
  addExecutionRoutes(app, { executionLog });
  addEventRoutes(app, events);
  addEndpointRoutes(app, events);
  addDeliveryRoutes(app, events);
  addWatchRoutes(app, { watches });
  addTokenRoutes(app, { narrowedTokens });
  addAgentAccessRoutes(app, {
    agentAccesses,
    agentClients,
    grantedList,
    checkTokenNames: checkTokenNamesOf(parts),
  });
}

/**
 * Adds operator routes: those that list connectors and tools, and those that manage an application's connections,
 * accounts, tool calls and approvals.
 */
function addOperated(
  app: FastifyInstance,
  service: Service,
  {
    operatedTool: executeTool,
    readSandboxSettings,
    ...shared
  }: Pick<RoutesParts, 'health' | 'operatedTool' | 'readSandboxSettings' | 'subscriptions'>,
): void {
  const { accountList, applications, connections, narrowedTokens } = service.parts.core;
  const createSandboxConnection = createSandboxConnections({ connections, readSandboxSettings });
  const { callApprovals } = service.approvals;
  addCatalogueRoutes(app, { catalog: service.parts.catalog });
  app.register(
    async (inside) => {
      addInsideApplication(inside, { applications });
      addShared(inside, service, shared);
      const { executionLog } = service;
      const { deliveries } = service.events;
      const { grantedList } = service.grants;
      addExportRoutes(inside, { executionLog, accountList, deliveries });
      addExportAccessRoutes(inside, { callApprovals, grantedList, narrowedTokens });
      addCountRoutes(inside, {
        accountList,
        callApprovals,
        connections,
        deliveries,
        executionLog,
        grantedList,
        narrowedTokens,
      });
      addSandboxConnectionRoute(inside, { createSandboxConnection });
      addConnectPreview(inside, { applications, connectors: service.parts.catalog.connectors });
      addOperatedToolRoute(inside, { executeTool });
      addApprovalRoutes(inside, { callApprovals });
    },
    { prefix: INSIDE_APPLICATION },
  );
}

const keptDaysOf = ({ retention: { executions, audit } }: Config) => ({ executions, audit });

function addOfOperators(
  server: FastifyInstance,
  service: Service,
  { config, emulated, health, operatedTool, readSandboxSettings, subscriptions, version }: RoutesParts,
): void {
  const { executionLog, failedRequests, parts } = service;
  const { core, now } = parts;
  const { accountList, applications, connections } = core;
  addOperatorRoutes(server, core, {
    environmentUrl: config.environmentUrl,
    readHealth: createReadHealth(parts, { config, emulated, executionLog, health, version }),
    readProblems: health.readProblems,
    search: createSearch({
      storage: parts.storage,
      executionLog,
      failedRequests,
      keptDays: keptDaysOf(config),
    }),
    readOverview: createReadOverview({ applications, connections, accountList, executionLog, health, now }),
    addOperated: (app) =>
      addOperated(app, service, { operatedTool, health, readSandboxSettings, subscriptions }),
  });
}

/** Adds the routes of the application API. Applications authenticate with an access token. */
function addOfApplications(
  server: FastifyInstance,
  service: Service,
  { hot, ...shared }: Pick<RoutesParts, 'health' | 'hot' | 'subscriptions'>,
): void {
  const { approvals, grants, parts, rateLimits } = service;
  const { catalog } = parts;
  const { narrowedTokens, origins, signIn, verifyConsent } = parts.core;
  const { callApprovals, approvalLinks } = approvals;
  const { agentSignIns } = grants;
  server.register(
    async (app) => {
      addToolRoute(app, { executeTool: hot.tool });
      app.register(async (own) => {
        requireApplication(own, { signIn, origins, limitBearer: limitRate(limitBearers(rateLimits)) });
        addJsonBody(own, { charge: rateLimits.application.charge });
        addStrictRequests(own);
        addCatalogueRoutes(own, { catalog });
        addShared(own, service, shared);
        addApprovalRoutes(own, { callApprovals, linkOf: approvalLinks.linkOf });
        addVerificationRoute(own, { verifyConsent });
        addIssueTokenRoutes(own, { narrowedTokens, checkTokenNames: checkTokenNamesOf(parts) });
        addAgentSignInRoute(own, { agentSignIns });
      });
    },
    { prefix: '/v1' },
  );
}

/** Adds the metrics route to the service's own port, unless the metrics have a separate port. */
function addMetrics(server: FastifyInstance, { config, metrics }: RoutesParts): void {
  if (metrics === undefined || config.metrics?.port !== undefined) return;
  server.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    schema: { hide: true },
    handler: (request, reply) => {
      reply.hijack();
      metrics.serve(request.raw, reply.raw);
    },
  });
}

/** Adds all routes of the service. */
export function addRoutes(server: FastifyInstance, service: Service, routes: RoutesParts): void {
  const { config, hot, isReady } = routes;
  const { environmentUrl } = config;
  const { parts, rateLimits } = service;
  const { origins, signIn } = parts.core;
  const dashboardFiles = createBuiltFiles(DASHBOARD, (html) => buildPage(html, environmentUrl));
  addDashboardRoutes(server, { dashboardFiles, environmentUrl });
  const { storage, now } = parts;
  const ping = () => storage.transaction(({ settings }) => settings.ping(newId('ready', randomBytes)));
  addMetrics(server, routes);
  addHealthRoutes(server, { ping, isReady, now });
  addOAuthTokenRoute(server, { signIn, rateLimiter: rateLimits.application });
  addPublic(server, service, routes);
  addOfOperators(server, service, routes);
  addPreflight(server, { origins, limitAddress: limitRate(limitCalls(rateLimits.address)) });
  server.register(proxyRoutes({ proxy: hot.proxy }));
  server.documentRoutes(mcpOperations);
  addOfApplications(server, service, routes);
}
