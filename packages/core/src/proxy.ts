import type { SendOptions } from './call.js';
import { path, text } from './path.js';
import type { ProxyRequest, SendRequest } from './proxy-request.js';
import type { Send } from './sender.js';

/** Makes the function that sends requests to an upstream; which of its two answers it has `stream` says, by which `send` goes. */
export const proxy = (send: Send): SendRequest =>
  (async ({ connectionName, identifier, path: upstreamPath, ...call }: ProxyRequest, options?: SendOptions) =>
    send(
      {
        ...call,
        // One slash between: without it the path would go on with the identifier, and name another account.
        path: path('proxy', connectionName, identifier) + text(upstreamPath).replace(/^\/?/, '/'),
        isProxied: true,
      },
      options,
    )) as SendRequest;
