import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Received JSON-RPC message, with its HTTP method, URL and headers. */
export interface McpMessage {
  readonly httpMethod: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** JSON-RPC ID; `undefined` for notifications and for requests without a body. */
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Reply to a message: a result, a JSON-RPC error, or a function that writes the whole HTTP response. */
export type McpReply =
  | { readonly result: unknown }
  | { readonly error: unknown }
  | { readonly write: (response: ServerResponse, message: McpMessage) => void };

export interface McpServerOptions {
  readonly hasSessions?: boolean;
  readonly format?: 'json' | 'sse';
  readonly protocolVersion?: string;
  /** True if the server speaks only the stateless protocol revision, which has no sessions. */
  readonly isStateless?: boolean;
}

/** Builds the reply to a message. Scripted replies are used first, one for each `tools/call`. */
type Script = (message: McpMessage) => McpReply;

const readBody = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

const event = (message: unknown) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const progress = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1 },
};

const NOT_INITIALIZED = { jsonrpc: '2.0', error: { code: -32000, message: 'Not initialized' }, id: null };
const toTool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const REVISION = '2026-07-28';
const discovered = {
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  supportedVersions: [REVISION],
  capabilities: { tools: {} },
  serverInfo: { name: 'test', version: '1' },
};

/** Starts an MCP server on plain `node:http` without an SDK, so that a test controls every byte of a response. */
export async function startMcpServer(options: McpServerOptions = {}) {
  const { isStateless = false, protocolVersion = '2025-06-18' } = options;
  const { hasSessions = !isStateless } = options;
  let format = options.format ?? 'json';
  let pages: readonly (readonly object[])[] = [[toTool('echo')]];
  const messages: McpMessage[] = [];
  const sessions = new Set<string>();
  const scripted: Script[] = [];
  const refusals: number[] = [];
  let onGet = (response: ServerResponse): void => void response.writeHead(405).end();

  function listed(params: McpMessage['params']): object {
    const page = Number(String(params?.['cursor'] ?? '0').replace('page-', ''));
    const nextCursor = `page-${page + 1}`;
    return { tools: pages[page] ?? [], ...(page + 1 < pages.length && { nextCursor }) };
  }

  function respond(message: McpMessage): McpReply {
    const { method, params } = message;
    if (method === 'initialize') {
      return {
        result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } },
      };
    }
    if (method === 'server/discover') return { result: discovered };
    const form = isStateless ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
    if (method === 'tools/list') return { result: { ...form, ...listed(params) } };
    const content = [{ type: 'text', text: JSON.stringify(params) }];
    return scripted.shift()?.(message) ?? { result: { ...form, content } };
  }

  function send(response: ServerResponse, message: McpMessage): void {
    const reply = respond(message);
    if ('write' in reply) {
      reply.write(response, message);
      return;
    }
    const body = { jsonrpc: '2.0', id: message.id, ...reply };
    if (message.method === 'initialize' && hasSessions) {
      const session = randomUUID();
      sessions.add(session);
      response.setHeader('mcp-session-id', session);
    }
    const isStream = format === 'sse';
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? `: hello\n\n${event(progress)}${event(body)}` : JSON.stringify(body));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    const { method: httpMethod = '', url = '', headers } = request;
    const message: McpMessage = { ...(text === '' ? {} : JSON.parse(text)), httpMethod, url, headers };
    messages.push(message);
    const refusal = refusals.shift();
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const session = headers['mcp-session-id'];
    const isKnown = session === undefined || sessions.has(String(session));
    if (!isKnown) return void response.writeHead(404).end('{"error":"session not found"}');
    if (httpMethod === 'GET') return onGet(response);
    if (httpMethod === 'DELETE') return void response.writeHead(200).end();
    if (message.id === undefined) return void response.writeHead(202).end();
    const isKnownMethod = isStateless
      ? message.method !== 'initialize'
      : message.method !== 'server/discover';
    if (!isKnownMethod) return void response.writeHead(400).end(JSON.stringify(NOT_INITIALIZED));
    send(response, message);
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every received message, in order. */
    messages,
    methods: () => messages.map(({ httpMethod, method }) => method ?? httpMethod),
    /** Scripts the replies to the next `tools/call` messages, in order. */
    script: (...scripts: Script[]) => scripted.push(...scripts),
    /** Sets the response to GET requests, with which a client resumes an event stream. Default: 405. */
    onGet: (listener: (response: ServerResponse) => void) => {
      onGet = listener;
    },
    /** Refuses the next message of any method with this HTTP status. */
    refuseNext: (status: number) => refusals.push(status),
    forgetSessions: () => sessions.clear(),
    setTools: (...names: string[]) => {
      pages = [names.map(toTool)];
    },
    listTools: (...tools: object[]) => {
      pages = [tools];
    },
    listPages: (...names: string[][]) => {
      pages = names.map((page) => page.map(toTool));
    },
    respondBy: (form: 'json' | 'sse') => {
      format = form;
    },
  };
}
