import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { HealthModel } from '../health/health.js';
import type { Search } from '../records/search.js';
import { addEtags } from '../routes/add-etags.js';
import { addJsonBody } from '../routes/json-body.js';
import { addAuditEventRoutes } from '../routes/operator/audit-event-routes.js';
import { addHealthReport, type Health } from '../routes/operator/health-report.js';
import { addApplicationManagement } from '../routes/operator/manage-applications.js';
import { addOperatorManagement } from '../routes/operator/manage-operators.js';
import { addPasskeyManagement } from '../routes/operator/manage-passkeys.js';
import { createChallengeCookie, createSessionCookie } from '../routes/operator/operator-cookies.js';
import { addOverviewRoute } from '../routes/operator/overview-routes.js';
import { addProblemsRoute } from '../routes/operator/problems-routes.js';
import type { ReadOverview } from '../routes/operator/read-overview.js';
import { requireOperator } from '../routes/operator/require-operator.js';
import { addSearchRoute } from '../routes/operator/search-routes.js';
import { addSessionRoutes } from '../routes/operator/session-routes.js';
import { addSignInRoutes } from '../routes/operator/sign-in-routes.js';
import { addStrictRequests } from '../routes/strict-requests.js';
import type { Core } from './core.js';

type OperatorAccess = Pick<
  Core,
  | 'applications'
  | 'auditLog'
  | 'operators'
  | 'operatorSessions'
  | 'operatorSignIn'
  | 'ownPassword'
  | 'passkeys'
  | 'passkeySignIn'
  | 'removeApplication'
  | 'signInLinks'
>;

interface OperatorRoutesParts {
  /** Base URL under which operators' browsers reach the service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly readHealth: () => Promise<Health>;
  readonly readProblems: HealthModel['readProblems'];
  readonly readOverview: ReadOverview;
  readonly search: Search;
  /** Adds the routes by which operators manage the objects of an application, such as its connections. */
  readonly addOperated?: (app: FastifyInstance) => void;
}

/**
 * Adds the routes of the operator API. Operators sign in by password, passkey or one-time link, and a cookie identifies
 * their session.
 */
export function addOperatorRoutes(
  server: FastifyInstance,
  access: OperatorAccess,
  { addOperated, environmentUrl, readHealth, readOverview, readProblems, search }: OperatorRoutesParts,
): void {
  const { applications, auditLog, operatorSessions, operatorSignIn, operators } = access;
  const { ownPassword, passkeys, passkeySignIn, removeApplication, signInLinks } = access;
  const sessionCookie = createSessionCookie(environmentUrl);
  const challengeCookie = createChallengeCookie(environmentUrl);

  function addSignedIn(app: FastifyInstance): void {
    requireOperator(app, { operatorSessions, sessionCookie, environmentUrl });
    app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(app.describeRoutes('operators')),
    );
    addEtags(app);
    addSessionRoutes(app, { operatorSessions, ownPassword, sessionCookie });
    addPasskeyManagement(app, { passkeys, sessionCookie, challengeCookie });
    addOperatorManagement(app, { operators, signInLinks });
    addApplicationManagement(app, { applications, removeApplication });
    addAuditEventRoutes(app, { auditLog });
    addSearchRoute(app, { search });
    addHealthReport(app, { readHealth });
    addProblemsRoute(app, { readProblems });
    addOverviewRoute(app, { operatorSessions, sessionCookie, readOverview });
    addOperated?.(app);
  }

  server.register(
    async (app) => {
      await app.register(cookie);
      addJsonBody(app);
      addStrictRequests(app);
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      addSignInRoutes(app, {
        operatorSignIn,
        passkeySignIn,
        sessionCookie,
        challengeCookie,
        environmentUrl,
      });
      app.register(async (signedIn) => addSignedIn(signedIn));
    },
    { prefix: '/operator/v1' },
  );
}
