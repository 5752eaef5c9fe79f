import type { IncomingMessage } from 'node:http';
import type { Serve } from '../front/serve-api-request.js';
import type { HotHandler } from '../listener/http-server.js';
import { PROXY_METHODS } from '../proxy/methods.js';

export interface HotRoutes {
  readonly proxy: Serve;
  readonly tool: Serve;
  readonly mcp: Serve;
  /**
   * Handles every request that arrives on the proxy port. The access token determines the account, and the upstream
   * gets the whole path.
   */
  readonly proxyPortRequest: Serve;
  /** Number of the proxy port. Absent if the proxy port is disabled. */
  readonly proxyPort: number | undefined;
}

const PROXY = '/v1/proxy/';
const TOOL = /^\/v1\/tools\/\w{1,128}\/execute$/;
const MCP = /^\/mcp(?:[/?]|$)/;

const isProxied = ({ method = '', url = '' }: IncomingMessage): boolean =>
  url.startsWith(PROXY) && PROXY_METHODS.includes(method);

const isToolCall = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && TOOL.test(url);

// Returns true for requests to the MCP endpoint. Fastify handles OPTIONS requests, because they are CORS preflight
// requests of browsers.
const isMcp = ({ method, url = '' }: IncomingMessage): boolean => method !== 'OPTIONS' && MCP.test(url);

/**
 * Creates the handler for requests on hot routes, which bypass Fastify for speed. Fastify handles all other requests,
 * including those with an unusual spelling of a hot URL.
 */
export function createChooseHotRoute({
  proxy,
  tool,
  mcp,
  proxyPortRequest,
  proxyPort,
}: HotRoutes): HotHandler {
  function serveOf(request: IncomingMessage): Serve | undefined {
    // Reads the port from the socket and not from the Host header, because a client could send any port in that header.
    if (proxyPort !== undefined && request.socket.localPort === proxyPort) return proxyPortRequest;
    if (isProxied(request)) return proxy;
    if (isToolCall(request)) return tool;
    return isMcp(request) ? mcp : undefined;
  }

  return function chooseHotRoute(request, response) {
    const serve = serveOf(request);
    serve?.(request, response);
    return serve !== undefined;
  };
}
