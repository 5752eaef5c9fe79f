import type { PlatformBlob, PlatformHeaders, PlatformReadableStream, PlatformResponse } from './platform.js';
import type { AccountName } from './resources.js';
import type { QueryParams } from './service-call.js';
import type { CallOptions } from './tool.js';

/** Request to an upstream through the service's proxy. The service adds the account's credentials. */
export interface ProxyRequest extends AccountName {
  /** Path at the upstream, such as `/calendar/v3/users/me/calendarList`. */
  path: string;
  /** HTTP method of the upstream request. The connection may allow only some. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  queryParams?: QueryParams | undefined;
  /** Body of the upstream request, sent as JSON. */
  body?: unknown;
  /**
   * Payload that is sent unchanged instead of `body`, and never retried. A stream is sent as a stream. Set the
   * payload's `Content-Type` in `headers`.
   */
  form_data?: Uint8Array<ArrayBuffer> | ArrayBuffer | PlatformBlob | PlatformReadableStream | undefined;
  /** Headers of the upstream request. The service removes credentials, cookies and hop-by-hop headers. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Response of the upstream to a proxied request. */
export interface ProxyResponse<Data> {
  /** HTTP status of the upstream's response: below 400. */
  status: number;
  /** Headers of the upstream's response, without cookies. */
  headers: PlatformHeaders;
  /** Body of the response: parsed JSON, a string for other text, or a Blob. */
  data: Data;
  /** Id that the service gave the request. The service's log contains it too. */
  requestId: string;
}

/**
 * Sends requests to an upstream through the service. Throws `UpstreamError` for an error response of the upstream.
 */
export interface SendRequest {
  /**
   * Sends a request to the upstream through the service's proxy, which adds the user's credentials. Resolves with the
   * platform's `Response` as soon as its headers have arrived. The response body can be streamed. Throws `UpstreamError`
   * for a status of 400 or above, and `AccountNotAuthorizedError` before the user has given consent.
   */
  (request: ProxyRequest, options: CallOptions & { stream: true }): Promise<PlatformResponse>;
  /**
   * Sends a request to the upstream through the service's proxy, which adds the user's credentials. Resolves when the
   * response body is read. Throws `UpstreamError` for a status of 400 or above, and `AccountNotAuthorizedError` before
   * the user has given consent.
   */
  <Data = unknown>(request: ProxyRequest, options?: CallOptions): Promise<ProxyResponse<Data>>;
}
