import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from '../applications/origins.js';
import type { SignIn } from '../applications/sign-in.js';
import { ServiceError } from '../errors.js';
import { allowOrigin } from '../front/allow-origin.js';
import { readBearer } from '../front/bearer.js';
import type { ResponseHeaders } from '../front/call.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import { actorOf } from '../tokens/token-uses.js';
import type { LimitRate } from './rate-limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The application that the access token belongs to; empty where a route needs none. */
    applicationId: string;
    /** Who calls; absent where a route needs no access token, and for operators. */
    bearer: Bearer | undefined;
  }
  interface FastifyContextConfig {
    /** Holders of narrowed tokens may call the route too: it holds them to their limits. */
    readonly takesNarrowed?: true;
  }
}

export interface RequireApplicationParts {
  readonly signIn: Pick<SignIn, 'authenticate'>;
  readonly origins: Pick<Origins, 'isKnown' | 'check'>;
  readonly limitBearer: LimitRate<Bearer>;
}

const notForTokens = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    'A narrowed token is for calls as its accounts, for their links and for their state; this is for the application itself.',
  );

async function answerOrigin(reply: FastifyReply, origins: Pick<Origins, 'isKnown'>, origin: string) {
  const answered: ResponseHeaders = {};
  await allowOrigin(origins, origin, answered);
  reply.headers(answered);
}

/** A hook that lets only requests with an access token through, and with a narrowed one only where the route takes them. */
export const requireApplication =
  ({ signIn, origins, limitBearer }: RequireApplicationParts) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { origin } = request.headers;
    if (origin !== undefined) await answerOrigin(reply, origins, origin);
    reply.header('www-authenticate', 'Bearer');
    const accessToken = readBearer(request.headers.authorization);
    const bearer = await signIn.authenticate(accessToken, request.address);
    reply.removeHeader('www-authenticate');
    request.bearer = bearer;
    request.applicationId = bearer.applicationId;
    request.actor = actorOf(bearer);
    limitBearer(request, reply, bearer);
    if (origin !== undefined) await origins.check(bearer, origin);
    if (bearer.token !== undefined && !request.routeOptions.config.takesNarrowed) throw notForTokens();
  };
