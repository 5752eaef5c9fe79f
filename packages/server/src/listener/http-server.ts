import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyRequest, type onSendHookHandler } from 'fastify';
import type { Callers } from '../caller.js';
import { ServiceError } from '../errors.js';
import { createNodeServer } from '../http/node-server.js';
import { hasPlainText } from '../text/plain-text.js';
import { createIds } from '../text/random.js';
import { readTraceParent } from '../text/read-trace-parent.js';
import { addOpenApi } from './add-open-api.js';
import { checkHead } from './check-head.js';
import { boundClientSockets, type ClientSocketsOptions } from './client-sockets.js';
import { compileFor } from './compilers.js';
import { createErrorReply, type ErrorResponseOptions, serviceHeaders } from './error-reply.js';
import { createRequestChecks, type RequestChecks } from './find-request-check.js';
import { logResponses, type ResponseLogOptions } from './log-responses.js';
import { createAddressOf } from './networks.js';
import { createRefuseSocket, MAX_HEADER_BYTES } from './refuse-socket.js';
import { SLICE, toSlices } from './slices.js';

/** Handles a request and returns true, or returns false so that Fastify handles it. */
export type HotHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the validator for one part of a request, such as its body. */
    readonly findRequestCheck: RequestChecks['find'];
    /** Installs a function that gets each request before Fastify and may handle it. */
    readonly serveFirst: (handler: HotHandler) => void;
  }
  interface FastifyContextConfig {
    /**
     * True for a route that exists for the OpenAPI document. Its requests are handled and logged by code that bypasses
     * Fastify.
     */
    readonly isDelegated?: boolean;
  }
  interface FastifyRequest {
    /** IP address of the client. Behind trusted proxies it comes from X-Forwarded-For. */
    readonly address: string;
    /** Author of changes in the audit log, such as an application id. */
    actor: string;
    /** Id of the caller's trace, from a valid header `traceparent`. */
    traceId: string | undefined;
    /** Error with which the service answers the request. `undefined` before it fails. */
    failure: ServiceError | undefined;
    /**
     * Milliseconds for which a long-poll request waited for new events. The logged and measured duration excludes this
     * time.
     */
    waitedMs: number;
  }
}

export interface HttpServerOptions extends ResponseLogOptions {
  readonly environmentUrl: string;
  /** Addresses and networks of reverse proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly version: string;
  readonly callers: Callers;
  readonly limits?: Partial<Pick<ClientSocketsOptions, 'total' | 'perAddress' | 'lookMs'>>;
  /** True leaves Node.js sockets unmodified (`SVC_PLAIN_RUNTIME`). Default: false. */
  readonly plainRuntime?: boolean;
}

const HEADERS_MS = 15_000;
/** Limits that Node.js applies to each connection. client-sockets.ts applies stricter ones to bodies and responses. */
const BOUNDS = {
  requestTimeout: 660_000,
  // Longer than the 60 s after which common reverse proxies close an idle connection. The proxy must close first, or
  // its next request could be lost.
  keepAliveTimeout: 72_000,
  // Adds 1, because Node.js refuses headers whose size equals this value.
  maxHeaderSize: MAX_HEADER_BYTES + 1,
  // Set explicitly, because NODE_OPTIONS can change the default.
  insecureHTTPParser: false,
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: HEADERS_MS / 3,
};
const MAX_REQUESTS_PER_SOCKET = 1000;
const TOTAL = 10_000;
const PER_ADDRESS = 1000;

/**
 * Passes each request to the function that `serveFirst` installed. Fastify gets the requests that this function does
 * not handle.
 */
function createBypass() {
  let handleHot: HotHandler = () => false;
  return {
    serverFactory: (fastifyHandler: RequestListener): Server => {
      const server = createNodeServer(BOUNDS, (request, response) => {
        if (!handleHot(request, response)) fastifyHandler(request, response);
      });
      server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
      return server;
    },
    serveFirst: (handler: HotHandler) => {
      handleHot = handler;
    },
  };
}

// Stores the caller in the async context (AsyncLocalStorage) of the request, in a hook that runs after the body was
// read. An earlier hook has no effect, because Node.js continues after the body in the async context of the connection.
function followCaller(app: FastifyInstance, { run }: Callers): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { actor, applicationId, id: requestId, address } = request;
    run(() => ({ actor, applicationId: applicationId || null, requestId, address }), done);
  });
}

function addHooks(app: FastifyInstance, headers: ErrorResponseOptions['headers']): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...headers, 'svc-request-id': request.id });
    const trace = readTraceParent(request.headers['traceparent']);
    if (trace) {
      request.traceId = trace.traceId;
      reply.header('traceparent', trace.traceparent);
    }
    checkHead(request.raw);
    if (!hasPlainText(request.params)) {
      throw new ServiceError('invalid_request', 'The path contains a NUL character. Remove it.');
    }
  });
}

const segmentsOf = (path: string): readonly string[] => path.split('/');

/**
 * Returns whether the path of a request matches the path of a route. As in Fastify's router, `:name` matches one
 * segment and `*` the rest.
 */
function matches(route: readonly string[], requested: readonly string[]): boolean {
  if (route.at(-1) === '*') {
    const stem = route.slice(0, -1);
    return requested.length > stem.length && matches(stem, requested.slice(0, stem.length));
  }
  return (
    route.length === requested.length &&
    route.every((segment, index) => {
      const given = requested[index] ?? '';
      return segment.startsWith(':') ? given !== '' : segment === given;
    })
  );
}

/**
 * Responds to requests without a route: 405 if the path has other methods, otherwise 404. Call it before routes are
 * registered.
 */
function refuseUnknown(app: FastifyInstance): void {
  const routes: { readonly path: readonly string[]; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ path: segmentsOf(url), methods: [method].flat() });
  });
  app.setNotFoundHandler(({ method, url }: FastifyRequest) => {
    const requested = segmentsOf(url.split('?', 1)[0] ?? '');
    const methods = routes.filter(({ path }) => matches(path, requested)).flatMap((route) => route.methods);
    if (methods.length === 0)
      throw new ServiceError(
        'not_found',
        'This path does not exist. GET /openapi.json lists the operations.',
      );
    const allow = [...new Set(methods)].sort();
    throw new ServiceError(
      'method_not_allowed',
      `${method} is not supported on this path. Use ${allow.join(', ')}.`,
      {
        allow,
      },
    );
  });
}

const sliceResponse: onSendHookHandler = (_request, reply, payload, done) => {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isWhole || payload.length <= SLICE) return done(null, payload);
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', bytes.length);
  done(null, toSlices(bytes));
};

/** Sends long responses in slices, so that a slow reader is detected before the end. */
function sliceResponses(app: FastifyInstance): void {
  // Adds `sliceResponse` as the last hook of each route, so that all other hooks see the whole response.
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? [], sliceResponse].flat();
  });
}

/** Declares the properties that the service adds to requests, so that V8 gives all requests the same shape. */
function decorateRequests(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const addressOf = createAddressOf(trustedProxies);
  app.decorateRequest('applicationId', '');
  app.decorateRequest('actor', 'user');
  app.decorateRequest('bearer', undefined);
  app.decorateRequest('traceId', undefined);
  app.decorateRequest('failure', undefined);
  app.decorateRequest('waitedMs', 0);
  app.decorateRequest('address', {
    getter() {
      return addressOf(this.raw);
    },
  });
}

/** Creates a server without routes. It has limits, request ids, error responses, logging and the OpenAPI document. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { log, callers, environmentUrl, recordFailure, trustedProxies, plainRuntime, limits = {} } = options;
  const headers = serviceHeaders(environmentUrl, options.version);
  const replyError = createErrorReply({ log, headers });
  const sockets: ClientSocketsOptions['sockets'] = new Map();
  const newRequestId = createIds('req', randomBytes);
  const refuse = createRefuseSocket({ headers, sockets, newRequestId, recordFailure });
  const checks = createRequestChecks();
  const { serverFactory, serveFirst } = createBypass();
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    serverFactory,
    // A stopping service still handles requests until its last connection is closed. Its responses tell clients to
    // close the connection.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    clientErrorHandler: refuse,
    frameworkErrors: replyError,
    schemaController: compileFor(checks),
  });
  decorateRequests(app, trustedProxies);
  app.setErrorHandler(replyError);
  refuseUnknown(app);
  app.decorate('serveFirst', serveFirst);
  app.decorate('findRequestCheck', checks.find);
  addHooks(app, headers);
  logResponses(app, { log, recordFailure });
  followCaller(app, callers);
  boundClientSockets(app, {
    total: limits.total ?? TOTAL,
    perAddress: limits.perAddress ?? PER_ADDRESS,
    lookMs: limits.lookMs,
    trustedProxies,
    log,
    refuse,
    sockets,
    plainRuntime,
  });
  sliceResponses(app);
  addOpenApi(app, { environmentUrl, version: options.version });
  app.addHook('onReady', checks.load);
  return app;
}
