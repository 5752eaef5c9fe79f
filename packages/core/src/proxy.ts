import type { SendOptions } from './call.js';
import { path, text } from './path.js';
import type { ProxyRequest, ProxyResponse, SendRequest } from './proxy-request.js';
import type { Send } from './sender.js';
import type { CallOptions } from './tool.js';

/** Makes the function that sends requests to an upstream. */
export function proxy(send: Send): SendRequest {
  function request(given: ProxyRequest, options: CallOptions & { stream: true }): Promise<Response>;
  function request<Data>(given: ProxyRequest, options?: CallOptions): Promise<ProxyResponse<Data>>;
  async function request(
    { connectionName, identifier, path: upstreamPath, ...call }: ProxyRequest,
    options: SendOptions = {},
  ) {
    // One slash between: without it the path would go on with the identifier, and name another account.
    const target = `${path('proxy', connectionName, identifier)}/${text(upstreamPath).replace(/^\//, '')}`;
    const { response, ...answer } = await send({ ...call, path: target, isProxied: true }, options);
    return options.stream ? response : { status: response.status, headers: response.headers, ...answer };
  }
  return request;
}
