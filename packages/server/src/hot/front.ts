import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Serve } from './serve.js';
import { isPlainToolCall } from './tool.js';

/** Whether it has taken the request. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FrontParts {
  readonly proxy: Serve;
  readonly tool: Serve;
}

const PROXY = '/v1/proxy/';
export const PROXY_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const isProxied = ({ method = '', url = '' }: IncomingMessage): boolean =>
  url.startsWith(PROXY) && PROXY_METHODS.includes(method);

/** What is busiest goes its own way, beside the framework; everything else, other spellings of it too, does not. */
export function createFront({ proxy, tool }: FrontParts): Front {
  const serveOf = (request: IncomingMessage): Serve | undefined => {
    if (isProxied(request)) return proxy;
    return isPlainToolCall(request) ? tool : undefined;
  };
  return (request, response) => {
    const serve = serveOf(request);
    serve?.(request, response);
    return serve !== undefined;
  };
}
