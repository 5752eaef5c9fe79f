import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { limitBearers, limitCalls } from '../front/limit-calls.js';
import type { ServeIdentified } from '../front/serve.js';
import { createBuiltFiles } from '../listener/built-files.js';
import { proxyRoutes } from '../proxy/document.js';
import { accountRoutes, verificationRoutes } from '../routes/account-routes.js';
import { addIdempotency } from '../routes/add-idempotency.js';
import { agentAccessRoutes, agentSignInRoutes } from '../routes/agents/agent-access-routes.js';
import { agentAuthorizeRoutes } from '../routes/agents/agent-authorize-routes.js';
import { agentMetadataRoutes } from '../routes/agents/agent-metadata-routes.js';
import { agentRegisterRoutes } from '../routes/agents/agent-register-routes.js';
import { agentTokenRoutes } from '../routes/agents/agent-token-routes.js';
import { approvalRoutes } from '../routes/approval-routes.js';
import { catalogueRoutes } from '../routes/catalogue-routes.js';
import { clientMetadataRoutes } from '../routes/client-metadata-routes.js';
import { connectRoutes } from '../routes/connect/connect-routes.js';
import { connectionRoutes } from '../routes/connection-routes.js';
import { dashboardRoutes } from '../routes/dashboard-routes.js';
import { executionRoutes } from '../routes/execution-routes.js';
import { healthRoutes } from '../routes/health-routes.js';
import { addInsideApplication, INSIDE_APPLICATION } from '../routes/inside-application.js';
import { addJsonBody } from '../routes/json-body.js';
import { limitRate } from '../routes/limit-rate.js';
import { oauthTokenRoutes } from '../routes/oauth-token-routes.js';
import { operatorRoutes } from '../routes/operator/operator-routes.js';
import { createReadOverview } from '../routes/operator/read-overview.js';
import { addPreflight } from '../routes/preflight.js';
import { protectedResourceRoutes } from '../routes/protected-resource-routes.js';
import { requireApplication } from '../routes/require-application.js';
import { addStrictRequests } from '../routes/strict-requests.js';
import { issueTokenRoutes, tokenRoutes } from '../routes/token-routes.js';
import { operatedToolRoutes, toolRoutes } from '../routes/tool-routes.js';
import type { HotRoutes } from './front.js';
import type { Service } from './service.js';
import { createReadHealth } from './service-health.js';

/** The build puts the dashboard beside itself; a service that runs from its sources takes what was built before. */
const DASHBOARD = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/dashboard' : 'dashboard', import.meta.url),
);

interface RoutesParts {
  readonly config: Config;
  readonly version: string;
  readonly isReady: () => boolean;
  readonly hot: HotRoutes;
  readonly operatedTool: ServeIdentified;
}

/** Adds what the users of applications see, and what MCP clients ask before they have a token. */
function addPublicRoutes(
  server: FastifyInstance,
  { approvals, grants, log, parts, rateLimits }: Service,
  { environmentUrl }: Config,
): void {
  const { authorize, clientMetadata, describe, origins } = parts.authorization;
  const { agentAccesses, agentGrants, agentSignIns, exchangeToken, registrations } = grants;
  const limitAddress = limitRate(limitCalls(rateLimits.address));
  server.register(async (open) => {
    open.addHook('onRequest', async (request, reply) => limitAddress(request, reply, request.address));
    open.register(
      connectRoutes({ log, callApprovals: approvals.callApprovals, authorize, describe, environmentUrl }),
    );
    open.register(clientMetadataRoutes({ clientMetadata }));
    open.register(protectedResourceRoutes({ catalog: parts.catalog, agentAccesses, environmentUrl }));
    open.register(agentMetadataRoutes({ agentAccesses, environmentUrl }));
    open.register(agentAuthorizeRoutes({ log, agentSignIns, environmentUrl }));
    open.register(agentTokenRoutes({ agentGrants, exchangeToken, origins }));
    open.register(agentRegisterRoutes({ registrations, origins }));
  });
}

/** Adds what applications do, and operators inside them. */
function addSharedRoutes(
  app: FastifyInstance,
  { executionLog, grants, idempotencyKeys, parts }: Service,
): void {
  const { accounts, checkConnection, connections, links, narrowedTokens, tokenUses } = parts.authorization;
  addIdempotency(app, idempotencyKeys);
  app.register(connectionRoutes({ connections, checkConnection }));
  app.register(accountRoutes({ accounts, links, tokenUses }));
  app.register(executionRoutes({ executionLog }));
  app.register(tokenRoutes({ narrowedTokens }));
  app.register(agentAccessRoutes(grants));
}

/** Gives operators the catalogue, and the operations of applications inside each application. */
const operatedRoutes =
  (service: Service, executeTool: ServeIdentified) =>
  async (app: FastifyInstance): Promise<void> => {
    const { approvals, parts } = service;
    app.register(catalogueRoutes({ catalog: parts.catalog }));
    app.register(
      async (inside) => {
        addInsideApplication(inside, { applications: parts.authorization.applications });
        addSharedRoutes(inside, service);
        inside.register(operatedToolRoutes({ executeTool }));
        inside.register(approvalRoutes({ callApprovals: approvals.callApprovals }));
      },
      { prefix: INSIDE_APPLICATION },
    );
  };

function addOperatorRoutes(
  server: FastifyInstance,
  service: Service,
  { config, operatedTool, version }: RoutesParts,
): void {
  const { executionLog, parts } = service;
  const { accounts, applications, auditLog, connections, operators, operatorSessions } = parts.authorization;
  const { operatorSignIn, ownPassword, passkeys, passkeySignIn } = parts.authorization;
  const { removeApplication, signInLinks } = parts.authorization;
  server.register(
    operatorRoutes({
      applications,
      auditLog,
      operators,
      operatorSessions,
      operatorSignIn,
      ownPassword,
      passkeys,
      passkeySignIn,
      removeApplication,
      signInLinks,
      environmentUrl: config.environmentUrl,
      readHealth: createReadHealth(parts, { config, executionLog, version }),
      readOverview: createReadOverview({ applications, connections, accounts, executionLog, now: parts.now }),
      operated: operatedRoutes(service, operatedTool),
    }),
  );
}

/** Adds what applications do; they identify themselves by an access token. */
function addApplicationRoutes(server: FastifyInstance, service: Service, hot: HotRoutes): void {
  const { approvals, grants, parts, rateLimits } = service;
  const { catalog } = parts;
  const { narrowedTokens, origins, signIn, verifyConsent } = parts.authorization;
  const { callApprovals, approvalLinks } = approvals;
  addPreflight(server, { origins, limitAddress: limitRate(limitCalls(rateLimits.address)) });
  server.register(proxyRoutes({ proxy: hot.proxy }));
  server.register(toolRoutes({ executeTool: hot.tool }), { prefix: '/v1' });
  server.register(
    async (own) => {
      const limitBearer = limitRate(limitBearers(rateLimits));
      own.addHook('onRequest', requireApplication({ signIn, origins, limitBearer }));
      addJsonBody(own);
      addStrictRequests(own);
      own.register(catalogueRoutes({ catalog }));
      addSharedRoutes(own, service);
      own.register(approvalRoutes({ callApprovals, linkOf: approvalLinks.linkOf }));
      own.register(verificationRoutes({ verifyConsent }));
      own.register(issueTokenRoutes({ narrowedTokens, catalog }));
      own.register(agentSignInRoutes(grants));
    },
    { prefix: '/v1' },
  );
}

/** Adds every route of the service. */
export function addRoutes(server: FastifyInstance, service: Service, routes: RoutesParts): void {
  const { config, hot, isReady } = routes;
  const { environmentUrl } = config;
  const { parts, rateLimits } = service;
  server.register(dashboardRoutes({ dashboardFiles: createBuiltFiles(DASHBOARD), environmentUrl }));
  server.register(healthRoutes({ ping: parts.storage.settings.ping, isReady }));
  server.register(
    oauthTokenRoutes({ signIn: parts.authorization.signIn, rateLimiter: rateLimits.application }),
  );
  addPublicRoutes(server, service, config);
  addOperatorRoutes(server, service, routes);
  addApplicationRoutes(server, service, hot);
}
