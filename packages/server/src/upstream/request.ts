import type { Method, QueryValue, SentEncoding } from '@svc/catalog';

export type { QueryValue } from '@svc/catalog';

/** A request relative to the base URL of one of the connector's hosts. Entries that are `undefined` are not sent; an array in `query` repeats its name. */
export interface UpstreamRequest {
  readonly method: Method;
  /** One of the connector's hosts. Default: the host of its base URL. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  /** With `accept: text/plain` the body may be text. Default: JSON only. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Encoding of the body. Default: JSON. */
  readonly encoding?: SentEncoding | undefined;
  /** Form of a successful response. Default: JSON. */
  readonly response?: 'text';
  /** Secret to send instead of the account's credential, in the form that the host takes. */
  readonly credential?: string;
}

/**
 * Sends one request as the account and resolves to the parsed body, or `null` when it is empty.
 * Throws `upstream_failed` with `details` `{ status, body, retryAfter?, requestId?, advice? }` for an answer of 300 and above, and for one that a rule of the connector calls an error.
 */
export type Send = (request: UpstreamRequest) => Promise<unknown>;
