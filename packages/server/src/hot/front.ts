import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Serve } from './serve.js';

/** Whether it has taken the request. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FrontParts {
  readonly proxy: Serve;
}

const PROXY = '/v1/proxy/';
export const PROXY_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What is busiest goes its own way, beside the framework; everything else, other spellings of it too, does not. */
export const createFront =
  ({ proxy }: FrontParts): Front =>
  (request, response) => {
    const { method = '', url = '' } = request;
    const isTaken = url.startsWith(PROXY) && PROXY_METHODS.includes(method);
    if (isTaken) proxy(request, response);
    return isTaken;
  };
