import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Serve } from '../front/serve-call.js';
import { PROXY_METHODS } from '../proxy/methods.js';

/** Takes a request that bypasses Fastify, and says whether it has. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HotRoutes {
  readonly proxy: Serve;
  readonly tool: Serve;
  readonly mcp: Serve;
  /** Serves every request on the proxy port. */
  readonly addressed: Serve;
  /** Absent where SVC_PROXY_URL is not set. */
  readonly proxyPort: number | undefined;
}

const PROXY = '/v1/proxy/';
const TOOL = /^\/v1\/tools\/\w{1,128}\/execute$/;
const MCP = /^\/mcp(?:[/?]|$)/;

const isProxied = ({ method = '', url = '' }: IncomingMessage): boolean =>
  url.startsWith(PROXY) && PROXY_METHODS.includes(method);

const isToolCall = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && TOOL.test(url);

// Fastify answers preflight requests of browsers.
const isMcp = ({ method, url = '' }: IncomingMessage): boolean => method !== 'OPTIONS' && MCP.test(url);

/** Hot routes bypass Fastify. Everything else, including unusual spellings of these URLs, goes through it. */
export function createFront({ proxy, tool, mcp, addressed, proxyPort }: HotRoutes): Front {
  function serveOf(request: IncomingMessage): Serve | undefined {
    // The kernel knows the port of a connection; a caller could write anything into a header.
    if (proxyPort !== undefined && request.socket.localPort === proxyPort) return addressed;
    if (isProxied(request)) return proxy;
    if (isToolCall(request)) return tool;
    return isMcp(request) ? mcp : undefined;
  }

  return function front(request, response) {
    const serve = serveOf(request);
    serve?.(request, response);
    return serve !== undefined;
  };
}
