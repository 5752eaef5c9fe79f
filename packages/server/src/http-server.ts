import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { Ajv, type AnySchema } from 'ajv';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { addOpenApi } from './add-open-api.js';
import type { Callers } from './caller.js';
import { closeConnections } from './close-connections.js';
import { ANSWER_HEADERS, errorReply } from './error-reply.js';
import { ERROR_STATUS, type ErrorCode, ServiceError } from './errors.js';
import type { Log } from './log.js';
import { hasPlainText } from './plain-text.js';

export interface HttpServerOptions {
  readonly log: Log;
  readonly environmentUrl: string;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly version: string;
  readonly callers: Callers;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 64;
const MAX_URL_BYTES = 8192;
const UPLOAD_MS = 600_000;

const newRequestId = () => `req_${randomBytes(12).toString('hex')}`;

// Bodies say what they mean; a query or a path has only strings, so numbers are read from those.
function createValidators(): (part: string | undefined) => Ajv {
  const options = { allErrors: true, useDefaults: true, removeAdditional: false } as const;
  const strict = new Ajv(options);
  const coercing = new Ajv({ ...options, coerceTypes: true });
  for (const ajv of [strict, coercing]) ajv.addVocabulary(['example', 'xml']);
  return (part) => (part === 'body' ? strict : coercing);
}

function checkLimits(request: FastifyRequest): void {
  if (request.raw.rawHeaders.length > MAX_HEADERS * 2) {
    throw new ServiceError('headers_too_large', `A request may have ${MAX_HEADERS} headers at most.`);
  }
  if ((request.raw.url ?? '').length > MAX_URL_BYTES) {
    throw new ServiceError('invalid_request', `The URL may have ${MAX_URL_BYTES} bytes at most.`);
  }
  if (!hasPlainText(request.params)) {
    throw new ServiceError('invalid_request', 'The path holds a NUL character.');
  }
}

interface SocketRefusal {
  readonly code: ErrorCode;
  /** What stands after the status. */
  readonly phrase: string;
  readonly message: string;
}

/** By the codes of Node.js. */
const SOCKET_REFUSALS: Readonly<Record<string, SocketRefusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    phrase: 'Request Header Fields Too Large',
    message: `The headers may have ${MAX_HEADER_BYTES} bytes at most.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    phrase: 'Request Timeout',
    message: 'The request did not arrive in time. Send it again.',
  },
};
const NOT_HTTP: SocketRefusal = {
  code: 'invalid_request',
  phrase: 'Bad Request',
  message: 'This is not a valid HTTP request.',
};

/** For what is not even an HTTP request, so that no reply exists. */
function refuseSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const { code, phrase, message } = SOCKET_REFUSALS[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ error: { code, message, requestId: newRequestId() } });
  socket.end(
    `HTTP/1.1 ${ERROR_STATUS[code]} ${phrase}\r\nsvc-error: ${code}\r\n` +
      'content-type: application/json; charset=utf-8\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

// Set where the body has been read: reading goes on in the connection's own context, which knows no request.
function followCaller(app: FastifyInstance, { run }: Callers): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { applicationId, operatorName, id: requestId, ip: address } = request;
    const actor = operatorName === '' ? applicationId || 'user' : `operator:${operatorName}`;
    run(() => ({ actor, applicationId: applicationId || null, requestId, address }), done);
  });
}

function addHooks(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...ANSWER_HEADERS, 'svc-request-id': request.id });
    checkLimits(request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const errorCode = reply.getHeader('svc-error')?.toString();
    log.info('request', {
      requestId: request.id,
      applicationId: request.applicationId,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.raw.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      ...(errorCode === undefined ? {} : { errorCode }),
    });
  });
}

/** A server without routes of ours: limits, request ids, errors, logging and the OpenAPI document. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { log, callers, trustedProxies } = options;
  const reply = errorReply(log);
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: UPLOAD_MS,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    clientErrorHandler: refuseSocket,
    frameworkErrors: reply,
  });
  const validator = createValidators();
  app.setValidatorCompiler<AnySchema>(({ schema, httpPart }) => validator(httpPart).compile(schema));
  app.decorateRequest('applicationId', '');
  app.decorateRequest('operatorName', '');
  app.setErrorHandler(reply);
  app.setNotFoundHandler(() => {
    throw new ServiceError('not_found', 'There is nothing here. GET /openapi.json lists the operations.');
  });
  addHooks(app, log);
  followCaller(app, callers);
  closeConnections(app);
  await addOpenApi(app, options);
  return app;
}
