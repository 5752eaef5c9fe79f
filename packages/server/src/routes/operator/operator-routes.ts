import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { CHALLENGE_LIFE_MS } from '../../operators/passkey-challenges.js';
import type { AuditLog } from '../../records/audit-log.js';
import { createHostCookie } from '../host-cookie.js';
import { addJsonBody } from '../json-body.js';
import { addStrictRequests } from '../strict-requests.js';
import { addAuditEvents } from './audit-event-routes.js';
import { addHealth, type HealthReportParts } from './health-report.js';
import { addApplications, type ManageApplicationsParts } from './manage-applications.js';
import { addOperators, type ManageOperatorsParts } from './manage-operators.js';
import { addPasskeys, type PasskeysParts } from './manage-passkeys.js';
import { addOverview, type OverviewRouteParts } from './overview-routes.js';
import { requireOperator } from './require-operator.js';
import { createSessionCookie } from './session-cookie.js';
import { addSession, type SessionParts } from './session-routes.js';
import { addSignIn, type SignInParts } from './sign-in-routes.js';

interface AllParts
  extends ManageApplicationsParts,
    ManageOperatorsParts,
    PasskeysParts,
    SessionParts,
    SignInParts,
    HealthReportParts,
    OverviewRouteParts {
  readonly auditLog: AuditLog;
  /** What operators do as applications do it. */
  readonly operated?: FastifyPluginAsync;
}

export type OperatorParts = Omit<AllParts, 'cookie' | 'challengeCookie'>;

const PREFIX = '/operator/v1';

/** Ties a passkey challenge to the browser that it was made for. */
const createChallengeCookie = (environmentUrl: string) =>
  createHostCookie(environmentUrl, {
    name: 'svc-passkey',
    lifeMs: CHALLENGE_LIFE_MS,
    sameSite: 'strict',
    form: /^[\w-]{43}\.\d{1,16}\.[\w-]{43}$/,
  });

function addOpenApi(app: FastifyInstance): void {
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await app.describeRoutes('operators')),
  );
}

/** Everything but the sign-in. */
const signedInRoutes =
  (parts: AllParts): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onRequest', requireOperator(parts));
    addOpenApi(app);
    addSession(app, parts);
    addPasskeys(app, parts);
    addOperators(app, parts);
    addApplications(app, parts);
    addAuditEvents(app, parts);
    addHealth(app, parts);
    addOverview(app, parts);
    if (parts.operated) await app.register(parts.operated);
  };

/** What the people who run the service do. They sign in with a password and are known by a cookie. */
export const operatorRoutes =
  (given: OperatorParts): FastifyPluginAsync =>
  async (server) => {
    const { environmentUrl } = given;
    const parts = {
      ...given,
      cookie: createSessionCookie(environmentUrl),
      challengeCookie: createChallengeCookie(environmentUrl),
    };
    if (!server.hasReplyDecorator('setCookie')) await server.register(cookie);
    await server.register(
      async (app) => {
        addJsonBody(app);
        addStrictRequests(app);
        app.addHook('onRequest', async (_request, reply) => {
          reply.header('cache-control', 'no-store');
        });
        await app.register(async (open) => addSignIn(open, parts));
        await app.register(signedInRoutes(parts));
      },
      { prefix: PREFIX },
    );
  };
