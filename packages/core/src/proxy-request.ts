import type { PlatformBlob, PlatformHeaders, PlatformReadableStream, PlatformResponse } from './platform.js';
import type { AccountName } from './resources.js';
import type { QueryParams } from './service-call.js';
import type { CallOptions } from './tool.js';

/** A request to an upstream, to which the service adds the account's credentials. */
export interface ProxyRequest extends AccountName {
  /** The upstream's path, such as `/calendar/v3/users/me/calendarList`. */
  path: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  queryParams?: QueryParams | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is in place of `body`, and once; a stream is streamed. `headers` say its `Content-Type`. */
  form_data?: Uint8Array<ArrayBuffer> | ArrayBuffer | PlatformBlob | PlatformReadableStream | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The upstream's answer. */
export interface ProxyResponse<Data> {
  status: number;
  headers: PlatformHeaders;
  /** JSON is parsed, other text is a string, anything else a Blob. */
  data: Data;
  /** The service's id of the request, for a look into its log. */
  requestId: string;
}

/** Sends requests to an upstream through the service; throws UpstreamError for an upstream's error. */
export interface SendRequest {
  /** Resolves with the platform's Response as soon as its headers are there: its body can be streamed. */
  (request: ProxyRequest, options: CallOptions & { stream: true }): Promise<PlatformResponse>;
  /** Resolves when the body is read. */
  <Data = unknown>(request: ProxyRequest, options?: CallOptions): Promise<ProxyResponse<Data>>;
}
