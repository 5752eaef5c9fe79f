import type { FastifyInstance } from 'fastify';
import { OPERATOR_ROLES } from '../../tenants/operator-role.js';
import type { OperatorSessions } from '../../tenants/operator-sessions.js';
import { SMALL_BODY } from '../body-limits.js';
import { closed } from '../list-schema.js';
import { checkOrigin } from './require-operator.js';
import type { SessionCookie } from './session-cookie.js';

export interface SessionParts {
  readonly operatorSessions: OperatorSessions;
  /** What users' browsers see. Over https the cookie is bound to the host. */
  readonly environmentUrl: string;
  readonly cookie: SessionCookie;
}

const PATH = '/session';
const tags = ['session'];
const text = { type: 'string' };
const nothing = { type: 'null' };

export const role = { ...text, enum: OPERATOR_ROLES };
const session = closed({
  name: text,
  role,
  csrfToken: { ...text, description: 'Goes with every change, in the header svc-csrf.' },
  expiresAt: { ...text, description: 'When it ends, used or not; unused for 30 minutes it ends before.' },
});

const signInSchema = {
  tags,
  summary: 'Sign in with name and password; the answer sets the cookie of the session',
  security: [],
  body: closed({
    name: { ...text, minLength: 1, maxLength: 64 },
    password: { ...text, minLength: 1, maxLength: 256 },
  }),
  response: { 200: session },
};

export function addSignIn(
  app: FastifyInstance,
  { operatorSessions, environmentUrl, cookie }: SessionParts,
): void {
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

/** Of the operator that is signed in, by a hook of `app`. */
export function addSession(app: FastifyInstance, { operatorSessions, cookie }: SessionParts): void {
  app.get(
    PATH,
    { schema: { tags, summary: 'Say who is signed in', response: { 200: session } } },
    (request) => operatorSessions.find(cookie.read(request) ?? ''),
  );
  app.delete(
    PATH,
    {
      schema: { tags, summary: 'Sign out; the session ends on the server', response: { 204: nothing } },
      config: { neededRole: 'reader' },
    },
    async (request, reply) => {
      await operatorSessions.signOut(cookie.read(request) ?? '');
      cookie.clear(reply);
      return reply.code(204).send();
    },
  );
}
