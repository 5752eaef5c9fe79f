import type { IncomingMessage } from 'node:http';
import type { Serve } from '../front/serve-api-request.js';
import type { HotHandler } from '../listener/http-server.js';
import { PROXY_METHODS } from '../proxy/methods.js';

export interface HotRoutes {
  readonly proxy: Serve;
  readonly tool: Serve;
  readonly mcp: Serve;
  /**
   * Handles every request that arrives on the proxy port. There, the access token selects the account, and the whole
   * path belongs to the upstream.
   */
  readonly addressed: Serve;
  /** Number of the proxy port. Absent if the proxy port is disabled. */
  readonly proxyPort: number | undefined;
}

const PROXY = '/v1/proxy/';
const TOOL = /^\/v1\/tools\/\w{1,128}\/execute$/;
const MCP = /^\/mcp(?:[/?]|$)/;

const isProxied = ({ method = '', url = '' }: IncomingMessage): boolean =>
  url.startsWith(PROXY) && PROXY_METHODS.includes(method);

const isToolCall = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && TOOL.test(url);

// Fastify handles OPTIONS requests, because they are CORS preflight requests of browsers.
const isMcp = ({ method, url = '' }: IncomingMessage): boolean => method !== 'OPTIONS' && MCP.test(url);

/**
 * Creates the handler for hot routes, which bypass Fastify for speed. Fastify handles all other requests, including hot
 * URLs in an unusual spelling.
 */
export function createChooseHotRoute({ proxy, tool, mcp, addressed, proxyPort }: HotRoutes): HotHandler {
  function serveOf(request: IncomingMessage): Serve | undefined {
    // Reads the port from the socket, because a client could send any port in the Host header.
    if (proxyPort !== undefined && request.socket.localPort === proxyPort) return addressed;
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
