import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from '../applications/origins.js';
import { ServiceError } from '../errors.js';
import { READABLE_BY_ALL, readableBy } from '../front/allow-origin.js';
import { PROXY_METHODS } from '../proxy/methods.js';
import type { LimitRate } from './limit-rate.js';

export interface PreflightParts {
  readonly origins: Pick<Origins, 'isKnown'>;
  readonly limitAddress: LimitRate;
}

const ANSWERED_SECONDS = '600';
const LONGEST = 1024;
/** What says the same to everybody, and is said without asking who it is: any page may read it, from caches too. */
const PUBLIC = '/.well-known/';
/** What pages call: the operations, MCP, and where its clients register and get tokens. Pages that people see are no part of it. */
const CALLED = /^\/(?:v1\/|mcp|agents\/[^/]+\/(?:register|token|revoke)(?:\?|$))/;

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

function permit(reply: FastifyReply, methods: readonly string[], wanted: string): FastifyReply {
  if (wanted !== '') reply.header('access-control-allow-headers', wanted);
  return reply
    .headers({
      'access-control-allow-methods': methods.join(', '),
      'access-control-max-age': ANSWERED_SECONDS,
      vary: 'origin, access-control-request-headers',
    })
    .code(204)
    .send();
}

/**
 * What a browser asks before it lets a page of another origin call: registered origins may send what they like, because what
 * they may do is for their token to say.
 */
export function addPreflight(server: FastifyInstance, { origins, limitAddress }: PreflightParts): void {
  server.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const isPublic = request.url.startsWith(PUBLIC);
    // Of errors too: a client looks for one document after the other, and a 404 that it cannot read is a failure.
    if (isPublic) reply.headers(READABLE_BY_ALL);
    if (!isPreflight(request) || (!isPublic && !CALLED.test(request.url))) return;
    limitAddress(request, reply, request.address);
    const { origin = '', 'access-control-request-headers': wanted = '' } = request.headers;
    const isAllowed = wanted.length <= LONGEST && (isPublic || (await origins.isKnown(origin)));
    if (!isAllowed)
      throw new ServiceError('origin_not_allowed', 'No application has registered this origin.');
    if (isPublic) return permit(reply, ['GET'], wanted);
    return permit(reply.headers(readableBy(origin)), PROXY_METHODS, wanted);
  });
}
