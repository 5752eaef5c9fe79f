import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { ServiceError } from '../errors.js';
import type { McpFetch } from './mcp-fetch.js';
import type { McpContent, McpResult, McpTool } from './mcp-tool.js';

export interface McpCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface McpRequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface McpClientParts {
  readonly fetch: McpFetch;
  /** Of the service, as the server is told. */
  readonly version: string;
}

/** An open session with an MCP server. */
export interface McpSession {
  /** Whether the server has forgotten the session, as far as this error tells. */
  isEndedBy(error: unknown): boolean;
  list(options: McpRequestOptions): Promise<readonly McpTool[]>;
  call(call: McpCall, options: McpRequestOptions): Promise<McpResult>;
  /** Tells the server that it may forget the session. Never throws. */
  end(): Promise<void>;
}

// Nobody reads this address: the fetch knows the account's own.
const ENDPOINT = new URL('http://mcp.invalid/');
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isContent = (value: unknown): value is McpContent =>
  isObject(value) && typeof value['type'] === 'string';

function toResult(value: unknown): McpResult | undefined {
  if (!isObject(value)) return undefined;
  const { content = [], structuredContent, isError } = value;
  if (!Array.isArray(content) || !content.every(isContent)) return undefined;
  return {
    content,
    ...(isObject(structuredContent) && { structuredContent }),
    ...(isError === true && { isError }),
  };
}

// The library's own schema refuses kinds of content that it does not know; here they pass.
const resultSchema: StandardSchemaV1<unknown, McpResult> = {
  '~standard': {
    version: 1,
    vendor: 'svc',
    validate: (value) => {
      const result = toResult(value);
      return result === undefined
        ? { issues: [{ message: 'It is no result of a tool.' }] }
        : { value: result };
    },
  },
};

// What the library makes of its deadline is decided by the exchange, which also frees the socket.
const inLibrary = ({ signal, timeoutMs }: McpRequestOptions) => ({ signal, timeout: 2 * timeoutMs });

async function connect({ fetch, version }: McpClientParts, options: McpRequestOptions) {
  // Loaded with the first session: it takes longer than everything else of a start.
  const library = await import('@modelcontextprotocol/client');
  const transport = new library.StreamableHTTPClientTransport(ENDPOINT, {
    fetch,
    requestInit: { redirect: 'manual' },
    reconnectionOptions: NO_RECONNECTION,
  });
  const client: Client = new library.Client(
    { name: 'svc-server', version },
    { supportedProtocolVersions: ['2025-11-25', '2025-06-18', '2025-03-26'] },
  );
  await client.connect(transport, inLibrary(options));
  return { client, transport };
}

/** Opens a session by `initialize`. Throws what the fetch and the library throw. */
export async function openMcpSession(parts: McpClientParts, options: McpRequestOptions): Promise<McpSession> {
  const { client, transport } = await connect(parts, options);
  const { sessionId } = transport;
  return {
    isEndedBy: (error) =>
      sessionId !== undefined &&
      error instanceof ServiceError &&
      error.code === 'upstream_failed' &&
      error.details?.['status'] === 404,
    list: async (request) => (await client.listTools(undefined, inLibrary(request))).tools,
    call: ({ name, args }, request) =>
      client.request(
        { method: 'tools/call', params: { name, arguments: args } },
        resultSchema,
        // A server that reports progress keeps what stands between from closing a quiet connection.
        { ...inLibrary(request), onprogress: () => undefined },
      ),
    end: () => transport.terminateSession().catch(() => undefined),
  };
}
