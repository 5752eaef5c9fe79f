import type { ServiceCall } from './service-call.js';
import type { CallOptions } from './tool.js';

/** A request to the service, or through its proxy to an upstream. */
export interface Call extends ServiceCall {
  /** Sent unchanged in place of `body`. May be a stream. */
  form_data?: RequestInit['body'] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The response comes from the upstream, unless the service marks it as its own error. */
  isProxied?: boolean;
}

/** Options of one call. */
export interface SendOptions extends CallOptions {
  /** Returns a successful response without reading its body. */
  stream?: boolean | undefined;
}

/** A successful response. With `stream`, it is the platform's own `Response`. */
export interface ServiceResponse {
  status: number;
  headers: Headers;
  data?: unknown;
  /** The service's id of the request. */
  requestId?: string;
}
