import type { SenderSettings } from './sender.js';
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
  /** Milliseconds that a call needs which has no timeout of its own; the client's counts where it is more. */
  leastTimeout?: number | undefined;
}

/** What came back; the platform's own `Response` when its body is left unread. */
export interface Answer {
  status: number;
  headers: Headers;
  data?: unknown;
  /** The service's id of the request. */
  requestId?: string;
}

/** A call on its way: what it is made of, and how far it is. */
export interface Sending extends Call, SendOptions, Pick<SenderSettings, 'tokens' | 'fetch'> {
  headers?: Readonly<Record<string, string>> | undefined;
  /** What a failure is that comes now, without an answer; empty for one of the application's own, while it gives the token. */
  code: string;
  answer?: Answer;
}
