import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from '../applications/origins.js';
import type { SignIn } from '../applications/sign-in.js';
import { ServiceError } from '../errors.js';
import { allowOrigin } from '../front/allow-origin.js';
import type { ResponseHeaders } from '../front/api-request.js';
import { readBearer } from '../front/bearer.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import { actorOf } from '../tokens/token-uses.js';
import type { LimitRate } from './limit-rate.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the application to which the access token belongs; empty on a route that needs no token. */
    applicationId: string;
    /** Bearer of the access token; `undefined` for an operator and on a route that needs no token. */
    bearer: Bearer | undefined;
  }
  interface FastifyContextConfig {
    /** Marks a route that accepts narrowed tokens (API tokens with limits) and enforces their limits. */
    readonly takesNarrowed?: true;
  }
}

interface RequireApplicationParts {
  readonly signIn: Pick<SignIn, 'authenticate'>;
  readonly origins: Pick<Origins, 'isKnown' | 'check'>;
  readonly limitBearer: LimitRate<Bearer>;
}

const notForNarrowedTokens = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    'An account token or agent token cannot call this operation. Use an access token of the application from POST /oauth/token.',
  );

async function addOriginHeaders(reply: FastifyReply, origins: Pick<Origins, 'isKnown'>, origin: string) {
  const headers: ResponseHeaders = {};
  await allowOrigin(origins, origin, headers);
  reply.headers(headers);
}

/**
 * Makes the routes of `app` require an access token. Narrowed tokens (API tokens with limits) work only on routes with
 * `takesNarrowed`, because other routes do not enforce the limits.
 */
export function requireApplication(
  app: FastifyInstance,
  { signIn, origins, limitBearer }: RequireApplicationParts,
): void {
  app.addHook('onRequest', async function authenticate(request: FastifyRequest, reply: FastifyReply) {
    const { origin } = request.headers;
    if (origin !== undefined) await addOriginHeaders(reply, origins, origin);
    reply.header('www-authenticate', 'Bearer');
    const accessToken = readBearer(request.headers.authorization);
    const bearer = await signIn.authenticate(accessToken, request.address);
    reply.removeHeader('www-authenticate');
    request.bearer = bearer;
    request.applicationId = bearer.applicationId;
    request.actor = actorOf(bearer);
    limitBearer(request, reply, bearer);
    if (origin !== undefined) await origins.check(bearer, origin);
    if (bearer.token !== undefined && !request.routeOptions.config.takesNarrowed)
      throw notForNarrowedTokens();
  });
}
