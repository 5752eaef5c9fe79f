import type { Connector } from '@svc/catalog';
import type { HearChallenge } from '../connections/hear-challenge.js';
import { ServiceError } from '../errors.js';
import type { Forward, HttpResponse, ResolvedAccount } from '../upstream/forward.js';
import { upstreamFailed } from '../upstream/upstream-failed.js';
import { currentExchange, type McpExchange } from './mcp-exchange.js';
import { readMcpBody, toMcpResponse } from './mcp-response.js';

export interface McpFetchParts {
  readonly forward: Forward;
  readonly hearChallenge: HearChallenge;
  readonly now: () => Date;
}

export interface McpFetchContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  /** Path and query below the base URL. */
  readonly path: string;
}

/** What the MCP library asks of a fetch. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NOTICE_TIMEOUT_MS = 10_000;
const MOST_RESUMPTIONS = 100;
// Of a probe these say something about the caller or the moment, and nothing about the revisions of the server.
const NO_VERDICT = [401, 403, 408, 429];

// Of JSON-RPC, and those that the revision without sessions adds.
const CODES = [-32_700, -32_600, -32_601, -32_602, -32_603, -32_020, -32_021, -32_022];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the way to the network has to know of a message that is sent. */
interface McpMessage {
  /** `undefined` in a notification and in no message. */
  readonly requestId: number | string | undefined;
  /** The method, and the tool that it is about, such as `tools/call search`. */
  readonly operation: string;
  /** It belongs to the revision without sessions, whose headers say what its body says. */
  readonly isStateless: boolean;
  /** The question for the revisions of the server, which old servers refuse. */
  readonly isProbe: boolean;
}

function requestIdIn({ id, method }: Readonly<Record<string, unknown>>): number | string | undefined {
  if (method === undefined) return undefined;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

function readMcpMessage(body: RequestInit['body'], headers: Headers): McpMessage {
  const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const message = isObject(parsed) ? parsed : {};
  const params = isObject(message['params']) ? message['params'] : {};
  return {
    requestId: requestIdIn(message),
    operation: [message['method'], params['name']].filter((part) => typeof part === 'string').join(' '),
    isStateless: headers.has('mcp-method'),
    isProbe: message['method'] === 'server/discover',
  };
}

/** The error of a server that knows the newest revision and answers a message of it with 400; `undefined` for other bodies. */
function rpcErrorIn(body: unknown, { requestId, isStateless }: McpMessage): object | undefined {
  const error = isStateless && isObject(body) ? body['error'] : undefined;
  const isKnown = isObject(error) && typeof error['code'] === 'number' && CODES.includes(error['code']);
  return isKnown ? { jsonrpc: '2.0', id: requestId, error } : undefined;
}

const streamEnded = ({ title }: Connector): ServiceError =>
  new ServiceError('connection_failed', `${title} ended its stream without an answer.`, { reason: 'closed' });

/**
 * The way of the MCP library to the network: every request goes out as the account, by the same tail as all others.
 * An answer of 300 and above throws upstream_failed, but for what the library has to read itself.
 */
export function createMcpFetch(parts: McpFetchParts, context: McpFetchContext): McpFetch {
  const { account, connector } = context;
  const [path = '/', query = ''] = context.path.split('?', 2);

  async function send(init: RequestInit, exchange: McpExchange | undefined): Promise<HttpResponse> {
    const { method = 'GET', headers, body, signal } = init;
    return parts.forward(account, {
      method,
      path,
      query,
      headers: [...new Headers(headers)].flat(),
      body: typeof body === 'string' ? Buffer.from(body) : undefined,
      timeoutMs: exchange?.timeoutMs ?? NOTICE_TIMEOUT_MS,
      trace: exchange?.trace,
      signal: AbortSignal.any([signal ?? [], exchange?.signal ?? []].flat()),
    });
  }

  async function readFailed(
    response: HttpResponse,
    message: McpMessage,
    exchange: McpExchange | undefined,
  ): Promise<Response> {
    const { status } = response;
    const body = await readMcpBody(response, exchange);
    const isVerdict = message.isProbe && status >= 400 && status < 500 && !NO_VERDICT.includes(status);
    const error = status === 400 ? rpcErrorIn(body, message) : undefined;
    if (error !== undefined || isVerdict) return Response.json(error ?? body, { status });
    const challenge = response.headers['www-authenticate'];
    const { operation } = message;
    await parts.hearChallenge(account, { status, operation, header: String(challenge ?? '') });
    throw upstreamFailed({ ...response, body }, { connector, now: parts.now });
  }

  // A stream that ended before the answer goes on in this one, until it has ended too often.
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

  return async (_url, init = {}) => {
    const headers = new Headers(init.headers);
    const running = currentExchange();
    if ((init.method ?? 'GET') === 'GET') {
      // Messages that the server sends on its own are not wanted; this is how a server says that it has none.
      if (running === undefined || !headers.has('last-event-id')) return new Response(null, { status: 405 });
      return resume(init, running);
    }
    const message = readMcpMessage(init.body, headers);
    const { requestId, isStateless, isProbe } = message;
    // The requests of an exchange end with it; its notifications do not, because one of them is what cancels it.
    const exchange = requestId === undefined ? undefined : running;
    if (exchange) exchange.awaited.requestId = requestId;
    const response = await send(init, exchange);
    if (!isProbe || response.status < 300) exchange?.onStatus(response.status);
    if (response.status >= 300) return readFailed(response, message, exchange);
    const end = requestId === undefined ? undefined : { requestId, isResumable: !isStateless };
    return toMcpResponse(response, { exchange, end });
  };
}
