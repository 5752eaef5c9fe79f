import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { OperatorSessions } from '../../tenants/operator-sessions.js';
import type { SessionCookie } from './session-cookie.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator that is signed in; empty where a route needs none. */
    operatorName: string;
  }
}

export interface RequireOperatorParts {
  readonly operatorSessions: Pick<OperatorSessions, 'find' | 'isCsrfToken'>;
  readonly cookie: SessionCookie;
  /** What users' browsers see. */
  readonly environmentUrl: string;
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** A browser says from which site it was asked; other clients say nothing. */
export function checkOrigin({ headers }: Pick<FastifyRequest, 'headers'>, environmentUrl: string): void {
  const own = new URL(environmentUrl).origin;
  if (headers.origin === undefined || headers.origin === own) return;
  throw new ServiceError(
    'forbidden',
    `This call came from a page of another site; open ${own} and call from there.`,
  );
}

/** A hook that lets only signed-in operators through, and changes only with the session's CSRF token. */
export const requireOperator =
  ({ operatorSessions, cookie, environmentUrl }: RequireOperatorParts) =>
  async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const sessionId = cookie.read(request);
    if (sessionId === undefined) {
      throw new ServiceError('unauthorized', 'Sign in first, by POST /operator/v1/session.');
    }
    const { name } = await operatorSessions.find(sessionId);
    if (!SAFE_METHODS.includes(request.method)) {
      checkOrigin(request, environmentUrl);
      const token = request.headers['svc-csrf'];
      if (typeof token !== 'string' || !operatorSessions.isCsrfToken(sessionId, token)) {
        throw new ServiceError(
          'forbidden',
          'Send the csrfToken of GET /operator/v1/session in the header svc-csrf with every call that changes something.',
        );
      }
    }
    request.operatorName = name;
  };
