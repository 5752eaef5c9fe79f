import type { ServerResponse } from 'node:http';
import type { AnswerMemory } from '../answer-memory.js';
import { checkProxied } from '../connections/approval-policy.js';
import type { Resolve } from '../connections/resolve.js';
import { toOwnError } from '../error-reply.js';
import { shownBy, type TokenUses } from '../tenants/token-uses.js';
import { canonicalPath } from '../upstream/canonical-path.js';
import type { BeginExecution, RunningExecution } from '../upstream/execution.js';
import type { Forward, HttpResponse } from '../upstream/forward.js';
import { responseHeaders } from '../upstream/headers.js';
import type { RouteProxy } from '../upstream/proxy-route.js';
import type { AnswerHeaders, Call } from './call.js';
import { type LimitCalls, RATE_HEADERS } from './limit-calls.js';
import { parseProxyTarget } from './proxy-target.js';
import { type BodyLimits, hasBody, openRequestBody } from './request-body.js';
import type { Work } from './serve.js';

export interface ProxyParts {
  readonly resolve: Pick<Resolve, 'held' | 'byIdentifier'>;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'take'>;
  readonly route: RouteProxy;
  readonly forward: Forward;
  readonly beginExecution: BeginExecution;
  readonly limitAccount: LimitCalls;
  readonly memory: AnswerMemory;
  /** Told of a request whose body may take long. */
  readonly expectUpload: (request: Call['request']) => void;
  readonly limits: Omit<BodyLimits, 'holding'>;
}

const isEndedByConnection = ({ status, headers }: HttpResponse, method: string | undefined): boolean =>
  ![204, 304].includes(status) &&
  method !== 'HEAD' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

// Whether such a body is complete nobody can know: a last chunk of ours would say that it is.
function endByConnection(response: ServerResponse, answered: AnswerHeaders): void {
  response.removeHeader('transfer-encoding');
  answered['connection'] = 'close';
}

/** Streams an upstream answer to the caller. A body that breaks off breaks off here too, and never looks complete. */
function answer(call: Call, upstream: HttpResponse, execution: RunningExecution): void {
  const { status, headers, body } = upstream;
  const { request, response } = call;
  call.onClose(() =>
    execution.finish({
      status,
      upstreamStatus: status,
      errorCode: response.writableFinished ? null : 'connection_failed',
    }),
  );
  const answered: AnswerHeaders = Object.assign(responseHeaders(headers), call.headers);
  // Of both limits the caller has to keep, the upstream's own are news.
  for (const name of RATE_HEADERS) if (headers[name] !== undefined) answered[name] = headers[name];
  if (isEndedByConnection(upstream, request.method)) endByConnection(response, answered);
  response.writeHead(status, answered);
  body.pipe(response);
}

function openBody({ applicationId, onClose, request }: Call, { limits, memory }: ProxyParts) {
  const holding = memory.open(applicationId);
  onClose(holding.release);
  return openRequestBody(request, { ...limits, holding });
}

/** Forwards a request to the upstream as a connected account. */
export const createProxy =
  (parts: ProxyParts): Work =>
  async (call) => {
    const { applicationId, headers, id: requestId, request, signal } = call;
    const { method = '', url = '', rawHeaders } = request;
    const isWithBody = hasBody(request);
    if (isWithBody) parts.expectUpload(request);
    const { connectionName, identifier, path, query } = parseProxyTarget(url);
    const shown = call.bearer && shownBy(call.bearer, '/v1');
    if (shown) parts.tokenUses.checkName(shown, { connectionName, identifier });
    const account =
      parts.resolve.held(applicationId, connectionName, identifier) ??
      (await parts.resolve.byIdentifier(applicationId, connectionName, identifier));
    parts.limitAccount(request, headers, account.id);
    const execution = parts.beginExecution(account, { kind: 'proxy', toolName: null, method, requestId });
    try {
      checkProxied(account.approve, method);
      if (shown)
        await parts.tokenUses.take(shown, { account, proxied: { method, path: canonicalPath(path) } });
      const routed = parts.route(account, { method, path, query });
      const body = isWithBody ? { openBody: () => openBody(call, parts) } : {};
      const { trace } = execution;
      const sent = { ...routed, headers: rawHeaders, ...body, signal, trace };
      const upstream = await parts.forward(account, sent);
      answer(call, upstream, execution);
    } catch (error) {
      // What the caller still sends would be read as the next request.
      if (isWithBody && !request.complete) headers['connection'] = 'close';
      const { status, code } = toOwnError(error);
      execution.finish({ status, errorCode: code });
      throw error;
    }
  };
