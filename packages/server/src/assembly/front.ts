import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Serve } from '../front/serve-call.js';
import { PROXY_METHODS } from '../proxy/methods.js';
import { isPlainToolCall } from '../tools/tool.js';

/** Whether it has taken the request. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FrontParts {
  readonly proxy: Serve;
  readonly tool: Serve;
  /** What is all there is at the second address. */
  readonly addressed: Serve;
  /** Of the second address. */
  readonly proxyPort: number | undefined;
  readonly mcp: Serve;
}

const PROXY = '/v1/proxy/';
const isProxied = ({ method = '', url = '' }: IncomingMessage): boolean =>
  url.startsWith(PROXY) && PROXY_METHODS.includes(method);

const MCP = /^\/mcp(?:[/?]|$)/;

// What a browser asks beforehand is the framework's to answer.
const isMcp = ({ method, url = '' }: IncomingMessage): boolean => MCP.test(url) && method !== 'OPTIONS';

/** What is busiest goes its own way, beside the framework; everything else, other spellings of it too, does not. */
export function createFront({ proxy, tool, mcp, addressed, proxyPort }: FrontParts): Front {
  const serveOf = (request: IncomingMessage): Serve | undefined => {
    // The kernel says where a caller came in; what a request says of it, anybody can write.
    if (proxyPort !== undefined && request.socket.localPort === proxyPort) return addressed;
    if (isProxied(request)) return proxy;
    if (isPlainToolCall(request)) return tool;
    return isMcp(request) ? mcp : undefined;
  };
  return (request, response) => {
    const serve = serveOf(request);
    serve?.(request, response);
    return serve !== undefined;
  };
}
