import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBearer } from '../hot/bearer.js';
import type { SignIn } from '../tenants/sign-in.js';
import type { LimitRate } from './rate-limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The application that the access token belongs to; empty where a route needs none. */
    applicationId: string;
  }
}

export interface RequireApplicationParts {
  readonly signIn: Pick<SignIn, 'authenticate'>;
  readonly limitApplication: LimitRate;
}

/** A hook that lets only requests with an access token through. The app must decorate requests with `applicationId`. */
export const requireApplication =
  ({ signIn, limitApplication }: RequireApplicationParts) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('www-authenticate', 'Bearer');
    const accessToken = readBearer(request.headers.authorization);
    const { applicationId } = await signIn.authenticate(accessToken, request.address);
    reply.removeHeader('www-authenticate');
    request.applicationId = applicationId;
    limitApplication(request, reply, applicationId);
  };
