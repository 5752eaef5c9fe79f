import type { ServiceCall } from './service-call.js';
import type { CallOptions } from './tool.js';

/** Request of the client to the service, or through the service's proxy to an upstream. */
export interface Call extends ServiceCall {
  /** Payload of the request that is sent unchanged instead of `body`. May be a stream. */
  form_data?: RequestInit['body'] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * True if the call uses the service's proxy. The response is then the upstream's, unless the service marks it as its
   * own error.
   */
  isProxied?: boolean;
}

/** Options of one call of the client, with the internal option `stream`. */
export interface SendOptions extends CallOptions {
  /** True to return a successful response without reading its body. */
  stream?: boolean | undefined;
}

/** Successful response to a call. With `stream`, it is the platform's own `Response`, whose body is unread. */
export interface ServiceResponse {
  status: number;
  headers: Headers;
  data?: unknown;
  /** Id that the service gave the request. The service's log contains it too. */
  requestId?: string;
}
