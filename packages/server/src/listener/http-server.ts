import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import type { Callers } from '../caller.js';
import { ServiceError } from '../errors.js';
import { createNodeServer } from '../http/node-server.js';
import type { Log } from '../log/log.js';
import { createIds } from '../random.js';
import { hasPlainText } from '../text/plain-text.js';
import { addOpenApi } from './add-open-api.js';
import { checkHead } from './check-head.js';
import { compileFor } from './compilers.js';
import { boundConnections, type ConnectionsOptions } from './connections.js';
import { answerHeaders, type ErrorReplyParts, errorReply } from './error-reply.js';
import { createRequestChecks, type RequestChecks } from './find-request-check.js';
import { createAddressOf } from './networks.js';
import { createRefuseSocket, MAX_HEADER_BYTES } from './refuse-socket.js';
import { sliceAnswers } from './slice-answer.js';
import { refuseUnknown } from './unknown-path.js';

type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

declare module 'fastify' {
  interface FastifyInstance {
    /** What a part of a request is checked by. */
    readonly findRequestCheck: RequestChecks['find'];
    /** What this takes never comes to a route. */
    readonly serveFirst: (front: Front) => void;
  }
  interface FastifyRequest {
    /** Where it comes from, as far as trusted proxies tell. */
    readonly address: string;
    /** Who calls, for the audit log. */
    actor: string;
  }
}

export interface HttpServerOptions {
  readonly log: Log;
  readonly environmentUrl: string;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly version: string;
  readonly callers: Callers;
  readonly limits?: Partial<Pick<ConnectionsOptions, 'total' | 'perAddress' | 'lookMs'>>;
}

const HEADERS_MS = 15_000;
/** What Node holds for every connection; watch-connection.ts has closer bounds for bodies and answers. */
const BOUNDS = {
  requestTimeout: 660_000,
  // Longer than the minute after which common reverse proxies close a connection: the client has to close first.
  keepAliveTimeout: 72_000,
  // Node.js refuses headers that reach this size.
  maxHeaderSize: MAX_HEADER_BYTES + 1,
  // Stated, because NODE_OPTIONS could say otherwise.
  insecureHTTPParser: false,
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: HEADERS_MS / 3,
};
const MAX_REQUESTS_PER_SOCKET = 1000;
const LIMITS = { total: 10_000, perAddress: 1000 };

// Set where the body has been read: reading goes on in the connection's own context, which knows no request.
function followCaller(app: FastifyInstance, { run }: Callers): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { actor, applicationId, id: requestId, address } = request;
    run(() => ({ actor, applicationId: applicationId || null, requestId, address }), done);
  });
}

function addHooks(app: FastifyInstance, { log, headers }: ErrorReplyParts): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...headers, 'svc-request-id': request.id });
    checkHead(request.raw);
    if (!hasPlainText(request.params)) {
      throw new ServiceError('invalid_request', 'The path holds a NUL character.');
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    log.answered({
      requestId: request.id,
      applicationId: request.applicationId,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.raw.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      errorCode: reply.getHeader('svc-error')?.toString(),
    });
  });
}

/** Offers each request to a front, and passes on to Fastify what the front leaves. */
function createBypass() {
  let isTaken: Front = () => false;
  return {
    serverFactory: (fastifyHandler: RequestListener): Server => {
      const server = createNodeServer(BOUNDS, (request, response) => {
        if (!isTaken(request, response)) fastifyHandler(request, response);
      });
      server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
      return server;
    },
    serveFirst: (front: Front) => {
      isTaken = front;
    },
  };
}

/** A server without routes of ours: limits, request ids, errors, logging and the OpenAPI document. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { log, callers, environmentUrl, trustedProxies } = options;
  const headers = answerHeaders(environmentUrl);
  const reply = errorReply({ log, headers });
  const connections: ConnectionsOptions['connections'] = new Map();
  const newRequestId = createIds('req', randomBytes);
  const refuse = createRefuseSocket({ headers, connections, newRequestId });
  const checks = createRequestChecks();
  const { serverFactory, serveFirst } = createBypass();
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    serverFactory,
    // Until its last connection has ended the service answers; the callers have been told to come no more.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    clientErrorHandler: refuse,
    frameworkErrors: reply,
    schemaController: compileFor(checks),
  });
  app.decorateRequest('applicationId', '');
  app.decorateRequest('actor', 'user');
  app.decorateRequest('bearer', undefined);
  const addressOf = createAddressOf(trustedProxies);
  app.decorateRequest('address', {
    getter() {
      return addressOf(this.raw);
    },
  });
  app.setErrorHandler(reply);
  refuseUnknown(app);
  app.decorate('serveFirst', serveFirst);
  app.decorate('findRequestCheck', checks.find);
  addHooks(app, { log, headers });
  followCaller(app, callers);
  boundConnections(app, { ...LIMITS, ...options.limits, ...{ log, trustedProxies, refuse, connections } });
  sliceAnswers(app);
  addOpenApi(app, options);
  app.addHook('onReady', checks.load);
  return app;
}
