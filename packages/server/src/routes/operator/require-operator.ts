import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { mayActAs, type OperatorRole } from '../../operators/operator-role.js';
import type { OperatorSession, OperatorSessions } from '../../operators/operator-sessions.js';
import type { HostCookie } from '../host-cookie.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of those who may call the route; where it does not say, readers may read and operators may change. */
    neededRole?: OperatorRole;
    /** About the caller's own way in: whoever came by a one-time link, which an owner gave, may call it. */
    isOwnSignIn?: boolean;
  }
}

export interface RequireOperatorParts {
  readonly operatorSessions: Pick<OperatorSessions, 'find' | 'isCsrfToken'>;
  readonly cookie: HostCookie;
  /** What users' browsers see. */
  readonly environmentUrl: string;
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const isSafe = ({ method }: FastifyRequest): boolean => SAFE_METHODS.includes(method);

function checkRole(request: FastifyRequest, { role, signedInBy }: OperatorSession): void {
  const { neededRole = isSafe(request) ? 'reader' : 'operator', isOwnSignIn } = request.routeOptions.config;
  if (mayActAs(role, neededRole) || (isOwnSignIn && signedInBy === 'link')) return;
  throw new ServiceError(
    'forbidden',
    `This needs the role ${neededRole}, and yours is ${role}; an owner can change it.`,
  );
}

/** A browser says from which site it was asked, whenever something may change; a program says the service's own. */
export function checkOrigin({ headers }: Pick<FastifyRequest, 'headers'>, environmentUrl: string): void {
  const own = new URL(environmentUrl).origin;
  if (headers.origin === own) return;
  throw new ServiceError(
    'forbidden',
    headers.origin === undefined
      ? `Send the header origin: ${own} with every call that changes something.`
      : `This call came from a page of another site; open ${own} and call from there.`,
  );
}

/** A hook that lets only signed-in operators through whose role allows it, and changes only with the session's CSRF token. */
export const requireOperator =
  ({ operatorSessions, cookie, environmentUrl }: RequireOperatorParts) =>
  async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const sessionId = cookie.read(request);
    if (sessionId === undefined) {
      throw new ServiceError('unauthorized', 'Sign in first, by POST /operator/v1/session.');
    }
    const session = await operatorSessions.find(sessionId);
    if (!isSafe(request)) {
      checkOrigin(request, environmentUrl);
      const token = request.headers['svc-csrf'];
      if (typeof token !== 'string' || !operatorSessions.isCsrfToken(sessionId, token)) {
        throw new ServiceError(
          'forbidden',
          'Send the csrfToken of GET /operator/v1/session in the header svc-csrf with every call that changes something.',
        );
      }
    }
    checkRole(request, session);
    request.actor = `operator:${session.name}`;
  };
