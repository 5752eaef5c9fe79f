import type { FastifyInstance } from 'fastify';
import { SMALL_BODY } from '../../listener/body-limits.js';
import type { OperatorSessions } from '../../operators/operator-sessions.js';
import type { NewPassword, OwnPassword } from '../../operators/own-password.js';
import type { HostCookie } from '../host-cookie.js';
import { closed } from '../list-schema.js';
import { session, SESSION_TAGS as tags } from './session-schema.js';

export interface SessionParts {
  readonly operatorSessions: OperatorSessions;
  readonly ownPassword: OwnPassword;
  readonly cookie: HostCookie;
}

const nothing = { type: 'null' };

const passwordOptions = {
  schema: {
    tags,
    summary: 'Set a password of your own; your other sessions end',
    body: closed(
      {
        password: {
          type: 'string',
          minLength: 1,
          maxLength: 256,
          description: 'The present one; not needed in a session that began by a one-time link.',
        },
        newPassword: { type: 'string', minLength: 12, maxLength: 256 },
      },
      ['newPassword'],
    ),
    response: { 204: nothing },
  },
  config: { isOwnSignIn: true },
  bodyLimit: SMALL_BODY,
};

function addOwnPassword(app: FastifyInstance, { ownPassword, cookie }: SessionParts): void {
  app.put<{ Body: Pick<NewPassword, 'password' | 'newPassword'> }>(
    '/session/password',
    passwordOptions,
    async (request, reply) => {
      const sessionId = cookie.read(request) ?? '';
      await ownPassword.change({ ...request.body, sessionId, address: request.address });
      return reply.code(204).send();
    },
  );
}

/** Of the operator that is signed in, by a hook of `app`. */
export function addSession(app: FastifyInstance, parts: SessionParts): void {
  const { operatorSessions, cookie } = parts;
  app.get(
    '/session',
    { schema: { tags, summary: 'Say who is signed in', response: { 200: session } } },
    (request) => operatorSessions.find(cookie.read(request) ?? ''),
  );
  app.delete(
    '/session',
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
  addOwnPassword(app, parts);
}
