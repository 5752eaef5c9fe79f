import { type Connector, isJsonObject, parseJson } from '@svc/catalog';
import type { HandleChallenge } from '../connections/handle-challenge.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { RETRY_ADVICE, ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send-http.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import { isPlainPath } from '../upstream/canonical-path.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { Forward, UpstreamResponse } from '../upstream/forward.js';
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
  /** Path and query of the MCP endpoint, relative to the account's base URL. */
  readonly path: string;
}

/** Signature of `fetch` as far as the MCP library uses it. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NOTIFICATION_TIMEOUT_MS = 10_000;
const MAX_RESUMPTIONS = 100;
const MAX_MOVES = 3;
// HTTP statuses that say nothing about the server's protocol version in a response to `server/discover`. They depend on
// the credential or on the load.
const INCONCLUSIVE = [401, 403, 408, 429];

// Error codes of JSON-RPC and of MCP 2026-07-28. A response body with another error code is not passed to the MCP
// library.
const RPC_CODES = [-32_700, -32_600, -32_601, -32_602, -32_603, -32_020, -32_021, -32_022];

/** Properties of an outgoing JSON-RPC message that decide how the HTTP response to it is read. */
interface McpMessage {
  /** Id of the JSON-RPC request. `undefined` for a notification, and for an HTTP request without a message. */
  readonly requestId: number | string | undefined;
  /** JSON-RPC method and tool name, such as `tools/call search`. */
  readonly operation: string;
  /** True for MCP 2026-07-28, which has no sessions. Its headers repeat parts of the body. */
  readonly isStateless: boolean;
  /**
   * True for `server/discover`, the request for the protocol versions of a server. Servers of older versions reject it.
   */
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

/**
 * Returns the JSON-RPC error in an HTTP 400 response of an MCP server without sessions. Returns `undefined` for other
 * bodies.
 */
function rpcErrorIn(body: unknown, { requestId, isStateless }: McpMessage): object | undefined {
  const error = isStateless && isJsonObject(body) ? body['error'] : undefined;
  const isKnown =
    isJsonObject(error) && typeof error['code'] === 'number' && RPC_CODES.includes(error['code']);
  return isKnown ? { jsonrpc: '2.0', id: requestId, error } : undefined;
}

const streamEnded = ({ title }: Connector): ServiceError =>
  new ServiceError('connection_failed', `${title} ended its stream without a response. ${RETRY_ADVICE}`, {
    reason: 'closed',
  });

/**
 * Returns the target path and query of a 307 or 308 redirect, if the target is below the account's base URL. Returns
 * `undefined` for any other response, because other redirects do not keep method and body.
 */
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

/**
 * Creates the `fetch` function of the MCP library. It sends requests with the account's credential through `forward`,
 * which all upstream requests use.
 */
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
    const timeoutMs = exchange?.timeoutMs ?? NOTIFICATION_TIMEOUT_MS;
    return forward(account, {
      method,
      path,
      query,
      headers: [...new Headers(headers)].flat(),
      body: typeof body === 'string' ? Buffer.from(body) : undefined,
      totalMs: timeoutMs,
      idleMs: timeoutMs,
      trace: exchange?.trace,
      signal: AbortSignal.any([signal ?? [], exchange?.signal ?? []].flat()),
    });
  }

  /**
   * Sends an HTTP request to the MCP server and follows redirects to another path of that server, such as from `/mcp`
   * to `/mcp/`.
   */
  async function send(init: RequestInit, exchange: McpExchange | undefined): Promise<UpstreamResponse> {
    let target = pathAndQuery;
    for (let redirects = 0; ; redirects += 1) {
      const response = await sendTo(target, init, exchange);
      const next = redirects < MAX_MOVES ? redirectTarget(response, account.baseUrl, target) : undefined;
      if (next === undefined) return response;
      response.body.discard();
      target = next;
    }
  }

  /**
   * Handles an HTTP error response of the MCP server. Returns the response if the MCP library needs it to negotiate the
   * protocol version, or if it contains a JSON-RPC error. Otherwise throws upstream_failed.
   */
  async function readFailed(
    response: UpstreamResponse,
    message: McpMessage,
    exchange: McpExchange | undefined,
  ): Promise<Response> {
    const { status, endAccess } = response;
    const body = await readMcpBody(response, exchange);
    const isConclusive = message.isProbe && status >= 400 && status < 500 && !INCONCLUSIVE.includes(status);
    const error = status === 400 ? rpcErrorIn(body, message) : undefined;
    if (error !== undefined || isConclusive) return Response.json(error ?? body, { status });
    const rule = findErrorRule(connector.errors, status, body);
    if (rule?.endsCredential) await endAccess?.(rule.advice);
    const challenge = response.headers['www-authenticate'];
    const { operation } = message;
    await handleChallenge(account, { status, operation, header: String(challenge ?? ''), endAccess });
    throw upstreamFailed({ ...response, body }, { connector, now });
  }

  /**
   * Resumes an event stream that ended before the JSON-RPC response arrived. Aborts the MCP operation after
   * `MAX_RESUMPTIONS` resumptions.
   */
  async function resume(init: RequestInit, exchange: McpExchange): Promise<Response> {
    const { awaited } = exchange;
    awaited.resumptions += 1;
    const { requestId } = awaited;
    const end = requestId === undefined ? undefined : { requestId, isResumable: true };
    try {
      if (awaited.resumptions > MAX_RESUMPTIONS) throw streamEnded(connector);
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
      // The MCP library opens a GET stream for messages that the server sends without a request. This service does not
      // need such messages, so it refuses the stream with 405.
      if (running === undefined || !headers.has('last-event-id')) return new Response(null, { status: 405 });
      return resume(init, running);
    }
    const message = readMcpMessage(init.body, headers);
    const { requestId, isStateless, isProbe } = message;
    // JSON-RPC requests are aborted together with the running operation, such as a tool call. Notifications are not,
    // because the notification that cancels a tool call is sent after its abort.
    const exchange = requestId === undefined ? undefined : running;
    if (exchange) exchange.awaited.requestId = requestId;
    const response = await send(init, exchange);
    if (!isProbe || response.status < 300) exchange?.onStatus(response.status);
    if (response.status >= 300) return readFailed(response, message, exchange);
    const end = requestId === undefined ? undefined : { requestId, isResumable: !isStateless };
    return toMcpResponse(response, { exchange, end });
  };
}
