import { path, upstreamPath } from './path.js';
import type { PlatformBlob, PlatformHeaders, PlatformReadableStream, PlatformResponse } from './platform.js';
import type { AccountName } from './resources.js';
import type { Send } from './sender.js';
import type { CallOptions } from './tool.js';
import { withQuery } from './with-query.js';

/** What a query parameter can be. */
export type QueryValue = string | number | boolean | null | undefined;

/** A request to an upstream, to which the service adds the account's credentials. */
export interface ProxyRequest extends AccountName {
  /** The upstream's path, such as `/calendar/v3/users/me/calendarList`. */
  path: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** An array repeats its parameter; `undefined` and `null` leave it out. */
  queryParams?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /**
   * Sent as it is, in place of `body`; a stream is streamed. Its type is `application/octet-stream` unless
   * `headers` or the Blob name another.
   */
  form_data?: Uint8Array<ArrayBuffer> | ArrayBuffer | PlatformBlob | PlatformReadableStream | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The upstream's answer. */
export interface ProxyResponse<Data> {
  status: number;
  headers: PlatformHeaders;
  /** JSON is parsed, other text is a string, anything else a Uint8Array; undefined when there was no body. */
  data: Data;
}

/** Sends requests to an upstream through the service; an error of the upstream is thrown as UpstreamError. */
export interface SendRequest {
  /** Resolves when the body is read. */
  <Data = unknown>(request: ProxyRequest, options?: CallOptions): Promise<ProxyResponse<Data>>;
  /** Resolves with the platform's Response as soon as its headers are there; its body can be streamed. */
  (request: ProxyRequest, options: CallOptions & { stream: true }): Promise<PlatformResponse>;
}

/** Makes the function that sends requests to an upstream. */
export function proxy(send: Send): SendRequest {
  function request<Data>(request: ProxyRequest, options?: CallOptions): Promise<ProxyResponse<Data>>;
  function request(request: ProxyRequest, options: CallOptions & { stream: true }): Promise<Response>;
  async function request(
    {
      connectionName,
      identifier,
      path: upstream,
      method,
      queryParams,
      body,
      form_data,
      headers,
    }: ProxyRequest,
    { stream, ...options }: CallOptions & { stream?: true } = {},
  ) {
    const url = withQuery(path('proxy', connectionName, identifier) + upstreamPath(upstream), queryParams);
    const type = form_data && { 'content-type': Object(form_data).type || 'application/octet-stream' };
    const { response, data } = await send(
      {
        method,
        url,
        json: body,
        body: form_data,
        headers: { ...type, ...headers },
        isProxied: true,
        isStreamed: stream,
      },
      options,
    );
    return stream ? response : { status: response.status, headers: response.headers, data };
  }
  return request;
}
