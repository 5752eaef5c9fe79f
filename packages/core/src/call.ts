import type { ServiceCall } from './service-call.js';
import type { CallOptions } from './tool.js';

/** A request to the service, or through it to an upstream. */
export interface Call extends ServiceCall {
  /** Sent as it is; through the proxy once, as it may be a stream. */
  form_data?: RequestInit['body'] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The answer is the upstream's, unless it is marked as an error of ours. */
  isProxied?: boolean;
}

/** How a call is sent. */
export interface SendOptions extends CallOptions {
  /** Leaves the body of a good answer unread. */
  stream?: boolean | undefined;
}

/** What came back; the platform's own `Response` when its body is left unread. */
export interface Answer {
  status: number;
  headers: Headers;
  data?: unknown;
  /** The service's id of the request. */
  requestId?: string;
}
