export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type QueryValue = string | number | boolean;

/** A request relative to the upstream's base URL. Entries that are `undefined` are not sent; an array in `query` repeats its name. */
export interface UpstreamRequest {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/**
 * Sends one request as the account and resolves to the parsed body, or `null` when it is empty.
 * Throws `upstream_failed` with `details` `{ status, body, retryAfter?, requestId?, advice? }` for an answer of 300 and above.
 */
export type Send = (request: UpstreamRequest) => Promise<unknown>;
