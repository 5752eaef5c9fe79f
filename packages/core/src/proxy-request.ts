import type { PlatformBlob, PlatformHeaders, PlatformReadableStream, PlatformResponse } from './platform.js';
import type { AccountName } from './resources.js';
import type { QueryParams } from './service-call.js';
import type { CallOptions } from './tool.js';

/** A request to an upstream. The service adds the account's credentials. */
export interface ProxyRequest extends AccountName {
  /** The upstream's path, such as `/calendar/v3/users/me/calendarList`. */
  path: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  queryParams?: QueryParams | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged in place of `body`, and never retried. A stream is streamed. Set its `Content-Type` in `headers`. */
  form_data?: Uint8Array<ArrayBuffer> | ArrayBuffer | PlatformBlob | PlatformReadableStream | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The upstream's response. */
export interface ProxyResponse<Data> {
  status: number;
  headers: PlatformHeaders;
  /** Parsed JSON, a string for other text, or a Blob. */
  data: Data;
  /** The service's id of the request, which its log has too. */
  requestId: string;
}

/** Sends requests to an upstream through the service. Throws an `UpstreamError` for an upstream's error. */
export interface SendRequest {
  /** Resolves with the platform's `Response` when its headers have arrived. Its body can be streamed. */
  (request: ProxyRequest, options: CallOptions & { stream: true }): Promise<PlatformResponse>;
  /** Resolves when the body is read. */
  <Data = unknown>(request: ProxyRequest, options?: CallOptions): Promise<ProxyResponse<Data>>;
}
