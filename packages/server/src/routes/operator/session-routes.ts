import type { FastifyInstance, FastifySchema } from 'fastify';
import { SMALL_BODY } from '../../listener/body-limits.js';
import { closed, named } from '../../listener/list-schema.js';
import type { OperatorSessions } from '../../operators/operator-sessions.js';
import type { NewPassword, OwnPassword } from '../../operators/own-password.js';
import type { HostCookie } from '../host-cookie.js';
import { session, SESSION_TAGS as tags } from './session-schema.js';

interface SessionParts {
  readonly operatorSessions: Pick<OperatorSessions, 'find' | 'signOut'>;
  readonly ownPassword: OwnPassword;
  readonly sessionCookie: HostCookie;
}

const nothing = { type: 'null' };

const passwordOptions = {
  schema: {
    operationId: 'changePassword',
    tags,
    summary: 'Change your password',
    description: 'Changes your password, and ends your other sessions.',
    errors: ['rate_limited'],
    body: named(
      'PasswordChange',
      closed(
        {
          password: {
            type: 'string',
            minLength: 1,
            maxLength: 256,
            description: 'Your current password. Omit it in a session that began with a one-time link.',
          },
          newPassword: {
            type: 'string',
            minLength: 12,
            maxLength: 256,
            examples: ['correct horse battery staple'],
          },
        },
        ['newPassword'],
      ),
    ),
    response: { 204: nothing },
  } satisfies FastifySchema,
  config: { isOwnSignIn: true },
  bodyLimit: SMALL_BODY,
};

function addOwnPassword(app: FastifyInstance, { ownPassword, sessionCookie }: SessionParts): void {
  app.put<{ Body: Pick<NewPassword, 'password' | 'newPassword'> }>(
    '/session/password',
    passwordOptions,
    async (request, reply) => {
      const sessionId = sessionCookie.read(request) ?? '';
      await ownPassword.change({ ...request.body, sessionId, address: request.address });
      return reply.code(204).send();
    },
  );
}

/**
 * Adds routes for the session and the password of the signed-in operator. A hook of `app` must authenticate operators.
 */
export function addSessionRoutes(app: FastifyInstance, parts: SessionParts): void {
  const { operatorSessions, sessionCookie } = parts;
  app.get(
    '/session',
    {
      schema: {
        operationId: 'getSession',
        tags,
        summary: 'Get the signed-in operator',
        description: 'The response contains the role of the operator and the CSRF token.',
        response: { 200: session },
      },
    },
    (request) => operatorSessions.find(sessionCookie.read(request) ?? ''),
  );
  app.delete(
    '/session',
    {
      schema: {
        operationId: 'signOut',
        tags,
        summary: 'Sign out',
        description: 'Ends the session on the server and clears the cookie.',
        response: { 204: nothing },
      },
      config: { neededRole: 'reader' },
    },
    async (request, reply) => {
      await operatorSessions.signOut(sessionCookie.read(request) ?? '');
      sessionCookie.clear(reply);
      return reply.code(204).send();
    },
  );
  addOwnPassword(app, parts);
}
