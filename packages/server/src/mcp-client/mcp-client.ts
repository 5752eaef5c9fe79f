import type { Client, PriorDiscovery, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ServiceError } from '../errors.js';
import type { McpFetch } from './mcp-fetch.js';

/** In which way a server is spoken to: by `initialize` and sessions, or without both. */
export type McpDialect = PriorDiscovery;

export interface McpClientParts {
  readonly fetch: McpFetch;
  /** Of the service, as the server is told. */
  readonly version: string;
  /** When it is known already; found out by asking otherwise. */
  readonly dialect?: McpDialect | undefined;
}

export interface McpRequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface McpConnection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly dialect: McpDialect;
}

// Nobody reads this address: the fetch knows the account's own.
const ENDPOINT = new URL('http://mcp.invalid/');
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
// One try at a stream that ended: its failure ends the exchange. A server says itself how long to wait, within reason.
const RECONNECTION = {
  maxRetries: 1,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};
const LEAST_DELAY_MS = 100;

function reconnectLater(reconnect: () => void, delayMs: number): () => void {
  const timer = setTimeout(reconnect, Math.max(delayMs, LEAST_DELAY_MS));
  return () => clearTimeout(timer);
}

// What the library makes of its deadline is decided by the exchange, which also frees the socket.
export const inLibrary = ({ signal, timeoutMs }: McpRequestOptions) => ({ signal, timeout: 2 * timeoutMs });

/** Our own error that the library found in its way and wrapped; other errors as they are. */
function unwrap(error: unknown): unknown {
  const data = error instanceof Error && 'data' in error ? error.data : undefined;
  const cause = typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
  return cause instanceof ServiceError ? cause : error;
}

/** Connects to an MCP server of any revision that the service speaks. Throws what the fetch and the library throw. */
export async function connectMcp(
  { fetch, version, dialect }: McpClientParts,
  options: McpRequestOptions,
): Promise<McpConnection> {
  // Loaded with the first session: it takes longer than everything else of a start.
  const library = await import('@modelcontextprotocol/client');
  const transport = new library.StreamableHTTPClientTransport(ENDPOINT, {
    fetch,
    requestInit: { redirect: 'manual' },
    reconnectionOptions: RECONNECTION,
    reconnectionScheduler: reconnectLater,
  });
  const client = new library.Client(
    { name: 'svc-server', version },
    { supportedProtocolVersions: REVISIONS, versionNegotiation: { mode: 'auto' } },
  );
  try {
    await client.connect(transport, { ...inLibrary(options), ...(dialect && { prior: dialect }) });
  } catch (error) {
    throw unwrap(error);
  }
  const discover = client.getDiscoverResult();
  return { client, transport, dialect: discover ? { kind: 'modern', discover } : { kind: 'legacy' } };
}
