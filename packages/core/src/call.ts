import type { ServiceCall } from './service-call.js';
import type { CallOptions } from './tool.js';

/** A request to the service, or through it to an upstream. */
export interface Call extends ServiceCall {
  /** Sent as it is, and once. */
  form_data?: RequestInit['body'] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The answer is the upstream's, unless it is marked as an error of ours. */
  isProxied?: boolean;
}

/** How a call is sent. */
export interface SendOptions extends CallOptions {
  /** Leaves the body of a good answer unread. */
  stream?: boolean | undefined;
  /** Milliseconds that a call needs which has no timeout of its own; the client's counts where it is more. */
  leastTimeout?: number | undefined;
}

/** What came back. */
export interface Answer {
  response: Response;
  data?: unknown;
  /** The service's id of the request. */
  requestId?: string;
}
