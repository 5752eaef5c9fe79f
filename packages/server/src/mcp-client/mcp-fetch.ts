import { type Connector, isJsonObject, parseJson } from '@svc/catalog';
import type { HandleChallenge } from '../connections/handle-challenge.js';
import { ServiceError } from '../errors.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { isPlainPath } from '../upstream/canonical-path.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { Forward, HttpResponse, ResolvedAccount, UpstreamResponse } from '../upstream/forward.js';
import { upstreamFailed } from '../upstream/upstream-failed.js';
import { currentExchange, type McpExchange } from './mcp-exchange.js';
import { readMcpBody, toMcpResponse } from './mcp-response.js';

interface McpFetchParts {
  readonly forward: Forward;
  readonly handleChallenge: HandleChallenge;
  readonly now: () => Date;
}

interface McpFetchContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  /** Path and query, relative to the base URL. */
  readonly path: string;
}

/** The part of `fetch` that the MCP library uses. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NOTIFICATION_TIMEOUT_MS = 10_000;
const MOST_RESUMPTIONS = 100;
const MOST_MOVES = 3;
// Statuses of a probe that depend on the caller or the moment, not on the revisions of the server.
const INCONCLUSIVE = [401, 403, 408, 429];

// Error codes of JSON-RPC and of the revision without sessions.
const RPC_CODES = [-32_700, -32_600, -32_601, -32_602, -32_603, -32_020, -32_021, -32_022];

/** An outgoing message. */
interface McpMessage {
  /** `undefined` in a notification, and without a message. */
  readonly requestId: number | string | undefined;
  /** Method and tool, such as `tools/call search`. */
  readonly operation: string;
  /** True in the revision without sessions, whose headers repeat parts of the body. */
  readonly isStateless: boolean;
  /** True for a request for the revisions of the server, which old servers refuse. */
  readonly isProbe: boolean;
}

function requestIdIn({ id, method }: Readonly<Record<string, unknown>>): number | string | undefined {
  if (method === undefined) return undefined;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

function readMcpMessage(body: RequestInit['body'], headers: Headers): McpMessage {
  const parsed: unknown = typeof body === 'string' ? parseJson(body) : undefined;
  const message = isJsonObject(parsed) ? parsed : {};
  const params = isJsonObject(message['params']) ? message['params'] : {};
  return {
    requestId: requestIdIn(message),
    operation: [message['method'], params['name']].filter((part) => typeof part === 'string').join(' '),
    isStateless: headers.has('mcp-method'),
    isProbe: message['method'] === 'server/discover',
  };
}

/** JSON-RPC error in a body of status 400 of a stateless server; `undefined` for other bodies. */
function rpcErrorIn(body: unknown, { requestId, isStateless }: McpMessage): object | undefined {
  const error = isStateless && isJsonObject(body) ? body['error'] : undefined;
  const isKnown =
    isJsonObject(error) && typeof error['code'] === 'number' && RPC_CODES.includes(error['code']);
  return isKnown ? { jsonrpc: '2.0', id: requestId, error } : undefined;
}

const streamEnded = ({ title }: Connector): ServiceError =>
  new ServiceError('connection_failed', `${title} ended its stream without a response.`, {
    reason: 'closed',
  });

/** Path and query below the base URL to which a redirect leads that keeps method and body; `undefined` for any other response. */
function redirectTarget(
  { status, headers }: HttpResponse,
  baseUrl: string,
  from: string,
): string | undefined {
  const { location } = headers;
  if ((status !== 307 && status !== 308) || typeof location !== 'string') return undefined;
  const base = withoutLastSlashes(baseUrl);
  const target = URL.parse(location, base + from);
  if (!target?.href.startsWith(`${base}/`)) return undefined;
  const [next = ''] = target.href.slice(base.length).split('#', 1);
  return isPlainPath(next.split('?', 1).join()) ? next : undefined;
}

/** Sends the requests of the MCP library as the account, through `forward` like every other request. */
export function createMcpFetch(
  { forward, handleChallenge, now }: McpFetchParts,
  { account, connector, path: pathAndQuery }: McpFetchContext,
): McpFetch {
  async function sendTo(
    pathAndQuery: string,
    init: RequestInit,
    exchange: McpExchange | undefined,
  ): Promise<UpstreamResponse> {
    const { method = 'GET', headers, body, signal } = init;
    const [path = '/', query = ''] = pathAndQuery.split('?', 2);
    return forward(account, {
      method,
      path,
      query,
      headers: [...new Headers(headers)].flat(),
      body: typeof body === 'string' ? Buffer.from(body) : undefined,
      timeoutMs: exchange?.timeoutMs ?? NOTIFICATION_TIMEOUT_MS,
      trace: exchange?.trace,
      signal: AbortSignal.any([signal ?? [], exchange?.signal ?? []].flat()),
    });
  }

  /** Sends a request, and again where the server redirects it to another path of its own, such as `/mcp/`. */
  async function send(init: RequestInit, exchange: McpExchange | undefined): Promise<UpstreamResponse> {
    let target = pathAndQuery;
    for (let redirects = 0; ; redirects += 1) {
      const response = await sendTo(target, init, exchange);
      const next = redirects < MOST_MOVES ? redirectTarget(response, account.baseUrl, target) : undefined;
      if (next === undefined) return response;
      response.body.discard();
      target = next;
    }
  }

  /** Returns the statuses that the library has to read. Throws upstream_failed for others. */
  async function readFailed(
    response: UpstreamResponse,
    message: McpMessage,
    exchange: McpExchange | undefined,
  ): Promise<Response> {
    const { status } = response;
    const body = await readMcpBody(response, exchange);
    const isConclusive = message.isProbe && status >= 400 && status < 500 && !INCONCLUSIVE.includes(status);
    const error = status === 400 ? rpcErrorIn(body, message) : undefined;
    if (error !== undefined || isConclusive) return Response.json(error ?? body, { status });
    const rule = findErrorRule(connector.errors, status, body);
    if (rule?.endsCredential) await response.endAccess?.(rule.advice);
    const challenge = response.headers['www-authenticate'];
    const { operation } = message;
    await handleChallenge(account, { status, operation, header: String(challenge ?? '') });
    throw upstreamFailed({ ...response, body }, { connector, now });
  }

  /** Resumes a stream that ended before its response. Ends the exchange after too many resumptions. */
  async function resume(init: RequestInit, exchange: McpExchange): Promise<Response> {
    const { awaited } = exchange;
    awaited.resumptions += 1;
    const { requestId } = awaited;
    const end = requestId === undefined ? undefined : { requestId, isResumable: true };
    try {
      if (awaited.resumptions > MOST_RESUMPTIONS) throw streamEnded(connector);
      const response = await send(init, exchange);
      if (response.status < 300) return toMcpResponse(response, { exchange, end });
      response.body.discard();
      throw streamEnded(connector);
    } catch (error) {
      exchange.fail(error);
      throw error;
    }
  }

  return async function mcpFetch(_url, init = {}) {
    const headers = new Headers(init.headers);
    const running = currentExchange();
    if ((init.method ?? 'GET') === 'GET') {
      // The library asks for messages that the server sends on its own. 405 means that there are none.
      if (running === undefined || !headers.has('last-event-id')) return new Response(null, { status: 405 });
      return resume(init, running);
    }
    const message = readMcpMessage(init.body, headers);
    const { requestId, isStateless, isProbe } = message;
    // Requests end with their exchange. Notifications do not, because one of them cancels the exchange.
    const exchange = requestId === undefined ? undefined : running;
    if (exchange) exchange.awaited.requestId = requestId;
    const response = await send(init, exchange);
    if (!isProbe || response.status < 300) exchange?.onStatus(response.status);
    if (response.status >= 300) return readFailed(response, message, exchange);
    const end = requestId === undefined ? undefined : { requestId, isResumable: !isStateless };
    return toMcpResponse(response, { exchange, end });
  };
}
