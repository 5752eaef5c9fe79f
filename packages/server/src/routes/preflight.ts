import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from '../applications/origins.js';
import { ServiceError } from '../errors.js';
import { READABLE_BY_ALL, readableBy } from '../front/allow-origin.js';
import { PROXY_METHODS } from '../proxy/methods.js';
import type { LimitRate } from './limit-rate.js';

const MAX_AGE_SECONDS = '600';
const MAX_HEADER_NAMES_LENGTH = 1024;
/**
 * Paths of public documents, which are equal for all callers. Scripts of every origin may read them, also from caches.
 */
const PUBLIC = /^(?:\/agents\/[^/]+)?\/\.well-known\//;
/**
 * Paths that browser scripts of other origins may call (CORS): the API, MCP, and registration and tokens of MCP
 * clients. HTML pages are excluded.
 */
const CALLABLE = /^\/(?:v1\/|mcp|agents\/[^/]+\/(?:register|token|revoke)(?:\?|$))/;

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

function permit(reply: FastifyReply, methods: readonly string[], headerNames: string): FastifyReply {
  if (headerNames !== '') reply.header('access-control-allow-headers', headerNames);
  return reply
    .headers({
      'access-control-allow-methods': methods.join(', '),
      'access-control-max-age': MAX_AGE_SECONDS,
      vary: 'origin, access-control-request-headers',
    })
    .code(204)
    .send();
}

const refused = (message: string): ServiceError => new ServiceError('origin_not_allowed', message);

/**
 * Handles CORS preflight requests. A registered origin may use every method and header, because the limits of its token
 * decide what it may do.
 */
export function addPreflight(
  server: FastifyInstance,
  { origins, limitAddress }: { readonly origins: Pick<Origins, 'isKnown'>; readonly limitAddress: LimitRate },
): void {
  server.addHook(
    'onRequest',
    async function respondToPreflight(request: FastifyRequest, reply: FastifyReply) {
      const isPublic = PUBLIC.test(request.url);
      // Error responses get the CORS headers too. A client tries several documents, and its script cannot read a 404
      // without these headers.
      if (isPublic) reply.headers(READABLE_BY_ALL);
      if (!isPreflight(request) || (!isPublic && !CALLABLE.test(request.url))) return;
      limitAddress(request, reply, request.address);
      const { origin = '', 'access-control-request-headers': headerNames = '' } = request.headers;
      if (headerNames.length > MAX_HEADER_NAMES_LENGTH)
        throw refused('The request lists too many headers. Send fewer headers.');
      if (!isPublic && !(await origins.isKnown(origin)))
        throw refused(
          'The origin of the web page is not registered for any application. Ask an operator to register it, exactly as the browser sends it in the header "origin".',
        );
      if (isPublic) return permit(reply, ['GET'], headerNames);
      return permit(reply.headers(readableBy(origin)), PROXY_METHODS, headerNames);
    },
  );
}
