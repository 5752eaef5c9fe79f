import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** An MCP endpoint with Streamable HTTP transport. Each MCP session belongs to one caller. */
interface McpEndpoint {
  readonly path: string;
  /** Returns the caller that the access token identifies. Returns `undefined` after it has sent an error response. */
  caller(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined>;
  createServer(caller: string, request: FastifyRequest): McpServer;
  respondsWithJson(): boolean;
  isStateless(): boolean;
}

interface McpSessions {
  /**
   * Closes all MCP sessions. The next request of each session gets 404, so that the client initializes a new session.
   */
  end(): void;
}

interface Session {
  readonly caller: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

export function addMcpEndpoint(app: FastifyInstance, endpoint: McpEndpoint): McpSessions {
  const sessions = new Map<string, Session>();
  app.route({
    method: ['POST', 'DELETE'],
    url: endpoint.path,
    handler: async (request, reply) => {
      const caller = await endpoint.caller(request, reply);
      if (caller === undefined) return reply;
      if (endpoint.isStateless()) return relay(await handleStateless(endpoint, { request, caller }), reply);
      const session = await findOrOpen(sessions, endpoint, { request, caller });
      if (session === undefined) return refuse(reply, 404, { code: -32001, message: 'Session not found' });
      return relay(await session.transport.handleRequest(toWebRequest(request)), reply);
    },
  });
  app.route({
    method: ['GET', 'PUT', 'PATCH'],
    url: endpoint.path,
    handler: (_request, reply) =>
      refuse(reply.header('allow', 'POST, DELETE'), 405, { code: -32000, message: 'Method not allowed.' }),
  });
  return { end: () => sessions.clear() };
}

/**
 * Largest request body: the limit of Apify's REST API, because the limits of the emulated MCP servers are not
 * published.
 */
const MOST_BYTES = 9 * 1024 * 1024;
const MOST_SESSIONS = 1000;

interface SessionRequest {
  readonly request: FastifyRequest;
  readonly caller: string;
}

function handleStateless(endpoint: McpEndpoint, { request, caller }: SessionRequest): Promise<Response> {
  const handler = createMcpHandler(() => endpoint.createServer(caller, request), {
    legacy: 'reject',
    responseMode: endpoint.respondsWithJson() ? 'json' : 'sse',
    maxRequestBodySize: MOST_BYTES,
  });
  return handler.fetch(toWebRequest(request));
}

async function findOrOpen(
  sessions: Map<string, Session>,
  endpoint: McpEndpoint,
  { request, caller }: SessionRequest,
): Promise<Session | undefined> {
  const id = sessionIdOf(request);
  if (id !== undefined) {
    const session = sessions.get(id);
    return session?.caller === caller ? session : undefined;
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: endpoint.respondsWithJson(),
    maxRequestBodySize: MOST_BYTES,
    onsessioninitialized: (opened) => storeSession(sessions, opened, { caller, transport }),
    onsessionclosed: (closed) => void sessions.delete(closed),
  });
  await endpoint.createServer(caller, request).connect(transport);
  return { caller, transport };
}

/** Stores a session. Deletes the oldest session above the limit to bound memory; its next request gets 404. */
function storeSession(sessions: Map<string, Session>, id: string, session: Session): void {
  const [oldest] = sessions.keys();
  if (oldest !== undefined && sessions.size >= MOST_SESSIONS) sessions.delete(oldest);
  sessions.set(id, session);
}

function sessionIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value);
  return new Request(`${request.protocol}://${request.host}${request.url}`, {
    method: request.method,
    headers,
    ...(Buffer.isBuffer(request.body) ? { body: new Uint8Array(request.body) } : {}),
  });
}

function relay(response: Response, reply: FastifyReply): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'connection') reply.header(name, value);
  // Responses to MCP notifications have no body. Fastify would serialize a null payload as the JSON document `null`.
  if (response.body === null) return reply.send();
  // The cast is necessary because the DOM library and Node.js declare different types for the Web stream class.
  return reply.send(Readable.fromWeb(response.body as ReadableStream<Uint8Array>));
}

interface RpcFailure {
  readonly code: number;
  readonly message: string;
}

export const rpcFailure = (error: RpcFailure) => ({ jsonrpc: '2.0', error, id: null });

function refuse(reply: FastifyReply, status: number, error: RpcFailure): FastifyReply {
  return reply.code(status).send(rpcFailure(error));
}
