import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { limitBearers, limitCalls } from '../front/limit-calls.js';
import { proxyRoutes } from '../proxy/document.js';
import { accountRoutes, verificationRoutes } from '../routes/accounts.js';
import { agentAccessRoutes, agentSignInRoutes } from '../routes/agents/agent-access.js';
import { requireApplication } from '../routes/application.js';
import { approvalRoutes } from '../routes/approvals.js';
import { catalogueRoutes } from '../routes/catalogue.js';
import { connectionRoutes } from '../routes/connections.js';
import { executionRoutes } from '../routes/executions.js';
import { addIdempotency } from '../routes/idempotency.js';
import { addInsideApplication, INSIDE_APPLICATION } from '../routes/inside-application.js';
import { addJsonBody } from '../routes/json-body.js';
import { addPreflight } from '../routes/preflight.js';
import { limitRate } from '../routes/rate-limits.js';
import { addStrictRequests } from '../routes/strict-requests.js';
import { issueTokenRoutes, tokenRoutes } from '../routes/tokens.js';
import { toolRoutes } from '../routes/tools.js';
import { TOOL_BODY } from '../tools/tool.js';
import type { ServerParts } from './app.js';
import { createFront } from './front.js';
import { createHotPath } from './hot-path.js';
import type { createTail } from './tail.js';

type Parts = ServerParts & ReturnType<typeof createTail>;

const PREFIX = '/v1';

/** What applications do, and operators inside them. */
function addSharedRoutes(app: FastifyInstance, parts: Parts): void {
  const { authorization, executionLog, rateLimits } = parts;
  const { tokenUses } = authorization;
  addIdempotency(app, parts);
  app.register(connectionRoutes(authorization));
  app.register(accountRoutes(authorization));
  app.register(
    toolRoutes({
      ...parts,
      tokenUses,
      expectUpload: app.expectUpload,
      limitAccount: limitRate(limitCalls(rateLimits.account)),
    }),
  );
  app.register(executionRoutes({ executionLog }));
  app.register(tokenRoutes(authorization));
  app.register(agentAccessRoutes(parts.grants));
}

/** What operators do as applications do it: inside each of them, and with the catalogue. */
export const operatedRoutes =
  (parts: Parts): FastifyPluginAsync =>
  async (app) => {
    const { applications } = parts.authorization;
    app.register(catalogueRoutes(parts));
    app.register(
      async (inside) => {
        addInsideApplication(inside, { applications });
        addSharedRoutes(inside, parts);
        inside.register(approvalRoutes({ callApprovals: parts.approvals.callApprovals }));
      },
      { prefix: INSIDE_APPLICATION },
    );
  };

/** Routes of an application, which names itself by an access token. */
export function addApplicationRoutes(server: FastifyInstance, parts: Parts): void {
  const { authorization, rateLimits } = parts;
  const { signIn, origins, tokenUses, verifyConsent } = authorization;
  const limitBearer = limitRate(limitBearers(rateLimits));
  const { callApprovals, approvalLinks } = parts.approvals;
  const { expectUpload } = server;
  const checkBody = server.findRequestCheck(TOOL_BODY, 'body');
  const ways = createHotPath({ ...parts, tokenUses, expectUpload, checkBody });
  addPreflight(server, { origins, limitAddress: limitRate(limitCalls(rateLimits.address)) });
  server.serveFirst(createFront(ways));
  server.register(proxyRoutes(ways));
  server.register(
    async (own) => {
      own.addHook('onRequest', requireApplication({ signIn, origins, limitBearer }));
      addJsonBody(own);
      addStrictRequests(own);
      own.register(catalogueRoutes(parts));
      addSharedRoutes(own, parts);
      own.register(approvalRoutes({ callApprovals, linkOf: approvalLinks.linkOf }));
      own.register(verificationRoutes({ verifyConsent }));
      own.register(issueTokenRoutes({ ...authorization, catalog: parts.catalog }));
      own.register(agentSignInRoutes(parts.grants));
    },
    { prefix: PREFIX },
  );
}
