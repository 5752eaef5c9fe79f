import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { AuditLog } from '../records/audit-log.js';
import type { OperatorSessions } from '../tenants/operator-sessions.js';
import { SMALL_BODY } from './body-limits.js';
import { addJsonBody } from './json-body.js';
import { closed } from './list-schema.js';
import { addApplications, type ManageApplicationsParts } from './operator-applications.js';
import { addAuditEvents } from './operator-audit.js';
import { addStatus, type StatusParts } from './operator-status.js';
import { checkOrigin, requireOperator } from './require-operator.js';
import { createSessionCookie, type SessionCookie } from './session-cookie.js';
import { addStrictRequests } from './strict-requests.js';

export interface OperatorParts extends ManageApplicationsParts, StatusParts {
  readonly operatorSessions: OperatorSessions;
  readonly auditLog: AuditLog;
  /** What users' browsers see. Over https the cookie is bound to the host. */
  readonly environmentUrl: string;
}

const PATH = '/v1/operator/session';
const text = { type: 'string' };
const session = closed({ name: text, csrfToken: text, expiresAt: text });
const nothing = { type: 'null' };

const signInSchema = {
  hide: true,
  body: closed({
    name: { ...text, minLength: 1, maxLength: 64 },
    password: { ...text, minLength: 1, maxLength: 256 },
  }),
  response: { 200: session },
};

type WithCookie = OperatorParts & { readonly cookie: SessionCookie };

function addSignIn(app: FastifyInstance, { operatorSessions, environmentUrl, cookie }: WithCookie): void {
  app.post<{ Body: { name: string; password: string } }>(
    PATH,
    { schema: signInSchema, bodyLimit: SMALL_BODY },
    async (request, reply) => {
      checkOrigin(request, environmentUrl);
      const { sessionId, ...shown } = await operatorSessions.signIn({
        ...request.body,
        address: request.address,
      });
      cookie.set(reply, sessionId);
      return shown;
    },
  );
}

function addSession(app: FastifyInstance, { operatorSessions, cookie }: WithCookie): void {
  app.get(PATH, { schema: { hide: true, response: { 200: session } } }, (request) =>
    operatorSessions.find(cookie.read(request) ?? ''),
  );
  app.delete(PATH, { schema: { hide: true, response: { 204: nothing } } }, async (request, reply) => {
    await operatorSessions.signOut(cookie.read(request) ?? '');
    cookie.clear(reply);
    return reply.code(204).send();
  });
}

/** What the people who run the service do. They sign in with a password and are known by a cookie. */
export const operatorRoutes =
  (given: OperatorParts): FastifyPluginAsync =>
  async (app) => {
    const parts = { ...given, cookie: createSessionCookie(given.environmentUrl) };
    if (!app.hasReplyDecorator('setCookie')) await app.register(cookie);
    addJsonBody(app);
    addStrictRequests(app);
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    addSignIn(app, parts);
    await app.register(async (own) => {
      own.addHook('onRequest', requireOperator(parts));
      addSession(own, parts);
      addApplications(own, parts);
      addAuditEvents(own, parts);
      addStatus(own, parts);
    });
  };
