import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerMemory } from '../answer-memory.js';
import type { Resolve } from '../connections/resolve.js';
import { ServiceError } from '../errors.js';
import type { BeginExecution, RunningExecution } from '../upstream/execution.js';
import type { Forward, HttpResponse } from '../upstream/forward.js';
import { responseHeaders } from '../upstream/headers.js';
import type { RouteProxy } from '../upstream/proxy-route.js';
import { callerSignal } from './caller-signal.js';
import { parseProxyTarget } from './proxy-target.js';
import { type LimitRate, RATE_HEADERS } from './rate-limits.js';
import { type BodyLimits, openRequestBody } from './request-body.js';

export interface ProxyParts {
  readonly resolve: Pick<Resolve, 'byIdentifier'>;
  readonly route: RouteProxy;
  readonly forward: Forward;
  readonly beginExecution: BeginExecution;
  readonly limitAccount: LimitRate;
  readonly memory: AnswerMemory;
  readonly limits: Omit<BodyLimits, 'holding'>;
}

type Answered = Record<string, number | string | string[] | undefined>;

const URL = '/v1/proxy/*';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const schema = {
  tags: ['proxy'],
  summary: 'Forward a request to the upstream as a connected account',
  description:
    "Method, query, headers and body go through as they are, and so does the answer; an answer with the header svc-error is the service's own.",
};
const text = { type: 'string' };
// The path is taken apart by hand, because the router would decode it; the document shows its parts.
const documented = {
  url: '/v1/proxy/:connectionName/:identifier/:path',
  schema: {
    ...schema,
    params: {
      type: 'object',
      required: ['connectionName', 'identifier', 'path'],
      properties: {
        connectionName: text,
        identifier: { ...text, description: 'Percent-encoded, a slash as well.' },
        path: { ...text, description: "The upstream's own path, slashes included." },
      },
    },
    response: { default: { description: "The upstream's answer.", content: { '*/*': { schema: {} } } } },
  },
};

const isEndedByConnection = ({ status, headers }: HttpResponse, method: string | undefined): boolean =>
  ![204, 304].includes(status) &&
  method !== 'HEAD' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

// Whether such a body is complete nobody can know: a last chunk of ours would say that it is.
function endByConnection(raw: FastifyReply['raw'], answered: Answered): void {
  raw.removeHeader('transfer-encoding');
  answered['connection'] = 'close';
}

/** Streams an upstream answer to the caller. A body that breaks off breaks off here too, and never looks complete. */
function answer(response: HttpResponse, reply: FastifyReply, execution: RunningExecution): void {
  const { status, headers, body } = response;
  reply.hijack();
  const { raw } = reply;
  raw.once('close', () =>
    execution.finish({
      status,
      upstreamStatus: status,
      errorCode: raw.writableFinished ? null : 'connection_failed',
    }),
  );
  // A hijacked reply sends nothing by itself, not even the request id that hooks have set.
  const answered: Answered = {
    ...responseHeaders(headers),
    ...reply.getHeaders(),
  };
  // Of both limits the caller has to keep, the upstream's own are news.
  for (const name of RATE_HEADERS) if (headers[name] !== undefined) answered[name] = headers[name];
  if (isEndedByConnection(response, raw.req.method)) endByConnection(raw, answered);
  raw.writeHead(status, answered);
  body.pipe(raw);
}

async function proxy(request: FastifyRequest, reply: FastifyReply, parts: ProxyParts): Promise<void> {
  const { method = '', url = '', rawHeaders } = request.raw;
  const { connectionName, identifier, path, query } = parseProxyTarget(url);
  const account = await parts.resolve.byIdentifier(request.applicationId, connectionName, identifier);
  parts.limitAccount(request, reply, account.id);
  const execution = parts.beginExecution(account, {
    kind: 'proxy',
    toolName: null,
    method,
    requestId: request.id,
  });
  const signal = callerSignal(reply);
  const holding = parts.memory.open(request.applicationId);
  reply.raw.once('close', holding.release);
  try {
    const routed = parts.route(account, { method, path, query });
    const openBody = () => openRequestBody(request.raw, { ...parts.limits, holding });
    const response = await parts.forward(account, { ...routed, headers: rawHeaders, openBody, signal });
    answer(response, reply, execution);
  } catch (error) {
    // What the caller still sends would be read as the next request.
    if (!request.raw.complete) reply.header('connection', 'close');
    const { status, code } = error instanceof ServiceError ? error : { status: 500, code: 'internal_error' };
    execution.finish({ status, errorCode: code });
    throw error;
  }
}

/** The proxy. Requests must be authenticated by a hook of `app`. */
export const proxyRoutes =
  (parts: ProxyParts): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // A malformed Content-Type would be refused here, but it is the upstream's to judge. It is sent on from the raw headers.
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.method !== 'GET') delete request.headers['content-type'];
      done();
    });
    app.route({
      method: METHODS,
      url: URL,
      exposeHeadRoute: false,
      schema,
      config: { swaggerTransform: () => documented, takesUpload: true },
      handler: (request, reply) => proxy(request, reply, parts),
    });
    app.route({
      method: app.supportedMethods.filter((method) => !METHODS.includes(method)),
      url: URL,
      schema: { hide: true },
      handler: () => {
        throw new ServiceError('method_not_allowed', `The proxy takes ${METHODS.join(', ')}.`);
      },
    });
  };
