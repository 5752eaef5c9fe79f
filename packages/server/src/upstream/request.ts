import type { Method, QueryValue, SentEncoding } from '@svc/catalog';

export type { QueryValue } from '@svc/catalog';

/**
 * Request to one host of the connector. `path` is relative to the base URL of the host. Entries that are `undefined`
 * are not sent. An array in `query` repeats the parameter.
 */
export interface UpstreamRequest {
  readonly method: Method;
  /** Name of one of the connector's hosts. Default: the main host, whose base URL the connection defines. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  /** Request headers. They override defaults such as `accept: application/json`. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Bytes of the request body, instead of `body`. `headers` contains their content type. */
  readonly bytes?: Buffer;
  /** Encoding of the request body. Default: JSON. */
  readonly encoding?: SentEncoding | undefined;
  /** Statuses of 300 and above that are no failure of this request. */
  readonly expects?: readonly number[];
  /** True if the request changes nothing, whatever its method is, so that it can be retried. */
  readonly isRead?: boolean;
  /** Timeout of one attempt in milliseconds. Default: the timeout of the tool. */
  readonly timeoutMs?: number;
  /** Format of a successful response. Default: JSON. */
  readonly response?: 'text';
  /** Header in which the upstream accepts an idempotency key. The service adds the key. */
  readonly idempotencyHeader?: string;
  /** Secret to send instead of the account's credential, in the format that the host expects. */
  readonly credential?: string;
}

/**
 * Sends one request with the credential of the connected account. Resolves to the parsed response body, or to `null` if
 * it is empty. Throws `upstream_failed` for a status of 300 and above, and for a response that matches an error rule of
 * the connector. Its `details` are `{ status, body, retryAfter?, requestId?, advice? }`.
 */
export type Send = (request: UpstreamRequest) => Promise<unknown>;
