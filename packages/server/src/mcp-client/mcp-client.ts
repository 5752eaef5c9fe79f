import type { Client, PriorDiscovery, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ServiceError } from '../errors.js';
import type { McpFetch } from './mcp-fetch.js';

/**
 * Protocol of an MCP server: with `initialize` and a session, or without both (MCP 2026-07-28). A discovery request
 * finds out which of the two the server speaks.
 */
export type McpDialect = PriorDiscovery;

export interface McpClientOptions {
  readonly fetch: McpFetch;
  /** Version of this service. The MCP client sends it to the server as part of its client info. */
  readonly version: string;
  /**
   * Cached protocol of the MCP server: with or without sessions. If it is absent, the client sends a discovery request
   * first.
   */
  readonly dialect?: McpDialect | undefined;
}

export interface McpRequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface ConnectedMcpClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly dialect: McpDialect;
}

// Placeholder URL that the MCP library requires. `mcpFetch` ignores the URL and sends requests to the base URL of the
// connected account.
const ENDPOINT = new URL('http://mcp.invalid/');
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
// Reconnection settings of the MCP library: a broken event stream is resumed once, after the delay that the server
// names. If that fails, the MCP call fails.
const RECONNECTION = {
  maxRetries: 1,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};
const MIN_DELAY_MS = 100;

function reconnectLater(reconnect: () => void, delayMs: number): () => void {
  const timer = setTimeout(reconnect, Math.max(delayMs, MIN_DELAY_MS));
  return () => clearTimeout(timer);
}

/**
 * Returns the request options of the MCP library. Its timeout is twice ours, so that `runExchange` times out first,
 * because only `runExchange` also frees the socket.
 */
export const toLibraryOptions = ({ signal, timeoutMs }: McpRequestOptions) => ({
  signal,
  timeout: 2 * timeoutMs,
});

/** Returns the `ServiceError` inside an error of the MCP library, if it wraps one. Returns other errors unchanged. */
function unwrap(error: unknown): unknown {
  const data = error instanceof Error && 'data' in error ? error.data : undefined;
  const cause = typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
  return cause instanceof ServiceError ? cause : error;
}

/**
 * Connects to an MCP server of any supported protocol version. Rejects with errors of `mcpFetch` and of the MCP
 * library.
 */
export async function connectMcp(
  { fetch, version, dialect }: McpClientOptions,
  options: McpRequestOptions,
): Promise<ConnectedMcpClient> {
  // The MCP library is loaded with the first session, because loading it would delay the start of the service.
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
