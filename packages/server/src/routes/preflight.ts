import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { PROXY_METHODS } from '../hot/front.js';
import type { Origins } from '../tenants/origins.js';
import type { LimitRate } from './rate-limits.js';

export interface PreflightParts {
  readonly origins: Pick<Origins, 'isKnown'>;
  readonly limitAddress: LimitRate;
}

const ANSWERED_SECONDS = '600';
const LONGEST = 1024;

const isPreflight = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  (url.startsWith('/v1/') || url.startsWith('/mcp')) &&
  headers['access-control-request-method'] !== undefined;

/**
 * What a browser asks before it lets a page of another origin call: registered origins may send what they like, because what
 * they may do is for their token to say.
 */
export function addPreflight(server: FastifyInstance, { origins, limitAddress }: PreflightParts): void {
  server.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isPreflight(request)) return;
    limitAddress(request, reply, request.address);
    const { origin = '', 'access-control-request-headers': wanted = '' } = request.headers;
    if (wanted.length > LONGEST || !(await origins.isKnown(origin)))
      throw new ServiceError('origin_not_allowed', 'No application has registered this origin.');
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': PROXY_METHODS.join(', '),
      ...(wanted && { 'access-control-allow-headers': wanted }),
      'access-control-max-age': ANSWERED_SECONDS,
      vary: 'origin, access-control-request-headers',
    });
    return reply.code(204).send();
  });
}
