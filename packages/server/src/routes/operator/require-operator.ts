import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { mayActAs, type OperatorRole } from '../../operators/operator-role.js';
import type { OperatorSession, OperatorSessions } from '../../operators/operator-sessions.js';
import type { HostCookie } from '../host-cookie.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Minimum role of the operator for the route. By default, readers may call read routes and operators may call
     * routes that change data.
     */
    neededRole?: OperatorRole;
    /**
     * Marks a route that manages the caller's own sign-in, such as the password. Sessions from a one-time link may call
     * it with every role.
     */
    isOwnSignIn?: boolean;
  }
}

interface RequireOperatorParts {
  readonly operatorSessions: Pick<OperatorSessions, 'find' | 'isCsrfToken'>;
  readonly sessionCookie: HostCookie;
  /** Public URL of the service, under which operators open the dashboard. */
  readonly environmentUrl: string;
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const isSafe = ({ method }: FastifyRequest): boolean => SAFE_METHODS.includes(method);

function checkRole(request: FastifyRequest, { role, signedInBy }: OperatorSession): void {
  const { neededRole = isSafe(request) ? 'reader' : 'operator', isOwnSignIn } = request.routeOptions.config;
  if (mayActAs(role, neededRole) || (isOwnSignIn && signedInBy === 'link')) return;
  throw new ServiceError(
    'forbidden',
    `This operation needs the role ${neededRole}, but your role is ${role}. Ask an owner to change your role.`,
  );
}

/**
 * Requires the header `Origin` with the service's own origin. Browsers send the origin of the calling page; programs
 * must set the header.
 */
export function checkOrigin({ headers }: Pick<FastifyRequest, 'headers'>, environmentUrl: string): void {
  const own = new URL(environmentUrl).origin;
  if (headers.origin === own) return;
  throw new ServiceError(
    'forbidden',
    headers.origin === undefined
      ? `The header origin is missing. Send the header origin: ${own} with every request that changes something.`
      : `A page of another site sent this request, so nothing was changed. Open ${own} and continue there.`,
  );
}

/**
 * Makes the routes of `app` require a signed-in operator with a sufficient role. Requests that change data also require
 * the CSRF token of the session.
 */
export function requireOperator(
  app: FastifyInstance,
  { operatorSessions, sessionCookie, environmentUrl }: RequireOperatorParts,
): void {
  app.addHook('onRequest', async function authenticateOperator(request: FastifyRequest) {
    const sessionId = sessionCookie.read(request);
    if (sessionId === undefined) {
      throw new ServiceError(
        'unauthorized',
        'You are not signed in. Sign in with POST /operator/v1/session.',
      );
    }
    const session = await operatorSessions.find(sessionId);
    if (!isSafe(request)) {
      checkOrigin(request, environmentUrl);
      const token = request.headers['svc-csrf'];
      if (typeof token !== 'string' || !operatorSessions.isCsrfToken(sessionId, token)) {
        throw new ServiceError(
          'forbidden',
          'The header "svc-csrf" is missing or wrong. Send the "csrfToken" of GET /operator/v1/session in this header.',
        );
      }
    }
    checkRole(request, session);
    request.actor = `operator:${session.name}`;
  });
}
