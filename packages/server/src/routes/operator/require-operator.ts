import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { mayActAs, type OperatorRole } from '../../operators/operator-role.js';
import type { OperatorSession, OperatorSessions } from '../../operators/operator-sessions.js';
import type { HostCookie } from '../host-cookie.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Role that may call the route. By default readers may read and operators may change. */
    neededRole?: OperatorRole;
    /** Marks a route about the caller's own sign-in. Sessions from a one-time link may call it with every role. */
    isOwnSignIn?: boolean;
  }
}

interface RequireOperatorParts {
  readonly operatorSessions: Pick<OperatorSessions, 'find' | 'isCsrfToken'>;
  readonly sessionCookie: HostCookie;
  /** URL of the service as operators' browsers see it. */
  readonly environmentUrl: string;
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const isSafe = ({ method }: FastifyRequest): boolean => SAFE_METHODS.includes(method);

function checkRole(request: FastifyRequest, { role, signedInBy }: OperatorSession): void {
  const { neededRole = isSafe(request) ? 'reader' : 'operator', isOwnSignIn } = request.routeOptions.config;
  if (mayActAs(role, neededRole) || (isOwnSignIn && signedInBy === 'link')) return;
  throw new ServiceError(
    'forbidden',
    `This needs the role ${neededRole}, but your role is ${role}. Ask an owner to change it.`,
  );
}

/** Requires the service's own origin: browsers send the origin of the calling page, and programs set the header. */
export function checkOrigin({ headers }: Pick<FastifyRequest, 'headers'>, environmentUrl: string): void {
  const own = new URL(environmentUrl).origin;
  if (headers.origin === own) return;
  throw new ServiceError(
    'forbidden',
    headers.origin === undefined
      ? `Send the header origin: ${own} with every request that changes something.`
      : `This request came from a page of another site. Open ${own} and send it from there.`,
  );
}

/**
 * Makes the routes of `app` require a signed-in operator whose role allows them. Changes require the session's CSRF token as
 * well.
 */
export function requireOperator(
  app: FastifyInstance,
  { operatorSessions, sessionCookie, environmentUrl }: RequireOperatorParts,
): void {
  app.addHook('onRequest', async function authenticateOperator(request: FastifyRequest) {
    const sessionId = sessionCookie.read(request);
    if (sessionId === undefined) {
      throw new ServiceError('unauthorized', 'Sign in first with POST /operator/v1/session.');
    }
    const session = await operatorSessions.find(sessionId);
    if (!isSafe(request)) {
      checkOrigin(request, environmentUrl);
      const token = request.headers['svc-csrf'];
      if (typeof token !== 'string' || !operatorSessions.isCsrfToken(sessionId, token)) {
        throw new ServiceError(
          'forbidden',
          'Send the csrfToken of GET /operator/v1/session in the header svc-csrf with every request that changes something.',
        );
      }
    }
    checkRole(request, session);
    request.actor = `operator:${session.name}`;
  });
}
