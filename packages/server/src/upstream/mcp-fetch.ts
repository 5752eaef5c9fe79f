import type { Connector } from '@svc/catalog';
import type { DemandScopes } from '../accounts/demand-scopes.js';
import { ServiceError } from '../errors.js';
import type { Forward, HttpResponse, ResolvedAccount } from './forward.js';
import { currentExchange, type McpExchange } from './mcp-exchange.js';
import { withEnd } from './mcp-stream.js';
import { upstreamFailed } from './upstream-failed.js';

export interface McpFetchParts {
  readonly forward: Forward;
  readonly demandScopes: DemandScopes;
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

const LIMIT = 10 * 1024 * 1024;
const NOTICE_TIMEOUT_MS = 10_000;
const SESSION_ID = /^[\x21-\x7e]+$/;

const tooLarge = (status: number): ServiceError =>
  new ServiceError('upstream_failed', 'The answer of the MCP server is larger than 10 MiB. Ask for less.', {
    status,
  });

async function* limited({ status, body }: HttpResponse): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body.stream()) {
    length += chunk.length;
    if (length > LIMIT) throw tooLarge(status);
    yield chunk;
  }
}

async function readBody(response: HttpResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(response)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The id of the request in a body that is to be sent; `undefined` in a notification and in no body. */
function requestIdIn(body: RequestInit['body']): number | string | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const isRequest = typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
  return isRequest && (typeof message.id === 'number' || typeof message.id === 'string')
    ? message.id
    : undefined;
}

// What breaks a body off is told to the exchange: the library would report it to nobody who waits.
async function* watched(chunks: AsyncIterable<Uint8Array>, exchange: McpExchange | undefined) {
  try {
    yield* chunks;
  } catch (error) {
    exchange?.fail(error);
    throw error;
  }
}

function toResponse(
  response: HttpResponse,
  requestId: number | string | undefined,
  exchange: McpExchange | undefined,
): Response {
  const { status, headers } = response;
  const kept = ['content-type', 'mcp-session-id'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] satisfies [string, string]] : [];
  });
  const isStream = /^text\/event-stream\b/i.test(String(headers['content-type']));
  const chunks = limited(response);
  const body = isStream && requestId !== undefined ? withEnd(chunks, requestId) : chunks;
  return new Response(ReadableStream.from(watched(body, exchange)), { status, headers: kept });
}

function checkSessionId({ status, headers }: HttpResponse): void {
  const id = headers['mcp-session-id'];
  if (id === undefined || (typeof id === 'string' && SESSION_ID.test(id))) return;
  throw new ServiceError('upstream_failed', 'The MCP server gave a session id that may not be sent back.', {
    status,
  });
}

async function throwFailed(
  response: HttpResponse,
  { account, connector, demandScopes, now }: McpFetchParts & McpFetchContext,
): Promise<never> {
  const body = await readBody(response);
  const challenge = response.headers['www-authenticate'];
  if (response.status === 403 && typeof challenge === 'string') await demandScopes(account, challenge);
  throw upstreamFailed({ ...response, body }, { connector, now });
}

/**
 * The way of the MCP library to the network: every request goes out as the account, by the same tail as all others.
 * An answer of 300 and above throws upstream_failed.
 */
export function createMcpFetch(parts: McpFetchParts, context: McpFetchContext): McpFetch {
  const [path = '/', query = ''] = context.path.split('?', 2);

  return async (_url, { method = 'GET', headers, body, signal } = {}) => {
    // Messages that the server sends on its own are not wanted; this is how a server says that it has none.
    if (method === 'GET') return new Response(null, { status: 405 });
    const requestId = requestIdIn(body);
    // The requests of an exchange end with it; its notifications do not, because one of them is what cancels it.
    const exchange = requestId === undefined ? undefined : currentExchange();
    const response = await parts.forward(context.account, {
      method,
      path,
      query,
      headers: [...new Headers(headers)].flat(),
      body: typeof body === 'string' ? Buffer.from(body) : undefined,
      timeoutMs: exchange?.timeoutMs ?? NOTICE_TIMEOUT_MS,
      signal: AbortSignal.any([signal ?? [], exchange?.signal ?? []].flat()),
    });
    exchange?.onStatus(response.status);
    if (response.status >= 300) return throwFailed(response, { ...parts, ...context });
    checkSessionId(response);
    return toResponse(response, requestId, exchange);
  };
}
