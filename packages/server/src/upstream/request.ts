import type { Method, QueryValue, SentEncoding } from '@svc/catalog';

export type { QueryValue } from '@svc/catalog';

/**
 * Request to one host of the connector. `path` is relative to the host's base URL. Entries that are `undefined` are not
 * sent. An array in `query` repeats its parameter.
 */
export interface UpstreamRequest {
  readonly method: Method;
  /** Name of one of the connector's hosts. Default: the main host, whose base URL the connection sets. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  /** Request headers. They override defaults such as `accept: application/json`. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Request body as bytes, instead of `body`. `headers` must contain the content type. */
  readonly bytes?: Buffer;
  /** Encoding of the field `body`. Default: JSON. */
  readonly encoding?: SentEncoding | undefined;
  /** Response statuses of 300 and above that do not count as a failure of this request. */
  readonly expects?: readonly number[];
  /** True if the request changes nothing at the upstream, whatever its method is, so that it can be retried. */
  readonly isRead?: boolean;
  /** Timeout of one attempt in milliseconds. Default: the timeout of the tool. */
  readonly timeoutMs?: number;
  /** Format in which a successful response is read. Default: JSON. */
  readonly response?: 'text';
  /** Name of the header in which the upstream accepts an idempotency key. The service adds the key. */
  readonly idempotencyHeader?: string;
  /** Secret to send instead of the account's credential, in the format that the host expects. */
  readonly credential?: string;
}

/**
 * Sends one request with the credential of the connected account. Resolves to the parsed response body, or to `null` if
 * it is empty. Throws `upstream_failed` if the status is 300 or above, or if the response matches an error rule of the
 * connector. The error's `details` are `{ status, body, retryAfter?, requestId?, advice? }`.
 */
export type Send = (request: UpstreamRequest) => Promise<unknown>;
