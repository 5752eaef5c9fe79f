import type { Client, PriorDiscovery, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ServiceError } from '../errors.js';
import type { McpFetch } from './mcp-fetch.js';

/** Dialect of a server: with `initialize` and a session, or without both. */
export type McpDialect = PriorDiscovery;

export interface McpClientOptions {
  readonly fetch: McpFetch;
  /** Version of the service, which the server learns. */
  readonly version: string;
  /** Absent: the client asks the server. */
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

// Unused, because the fetch sends to the address of the account.
const ENDPOINT = new URL('http://mcp.invalid/');
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
// Tries once to resume a stream, after the delay that the server names. If that fails, the exchange fails.
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

/** Options of the library. Its deadline is the later one, because the exchange ends the call and frees the socket. */
export const toLibraryOptions = ({ signal, timeoutMs }: McpRequestOptions) => ({
  signal,
  timeout: 2 * timeoutMs,
});

/** Returns our own error where the library has wrapped it, and other errors as they are. */
function unwrap(error: unknown): unknown {
  const data = error instanceof Error && 'data' in error ? error.data : undefined;
  const cause = typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
  return cause instanceof ServiceError ? cause : error;
}

/** Connects to an MCP server of any revision that the service speaks. Throws what the fetch and the library throw. */
export async function connectMcp(
  { fetch, version, dialect }: McpClientOptions,
  options: McpRequestOptions,
): Promise<McpConnection> {
  // Loaded with the first session, because it takes longer than the rest of a start.
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
    await client.connect(transport, { ...toLibraryOptions(options), ...(dialect && { prior: dialect }) });
  } catch (error) {
    throw unwrap(error);
  }
  const discover = client.getDiscoverResult();
  return { client, transport, dialect: discover ? { kind: 'modern', discover } : { kind: 'legacy' } };
}
