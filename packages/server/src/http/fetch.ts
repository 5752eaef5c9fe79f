import { type Dispatcher, fetch, type RequestInit as UndiciInit } from 'undici';
import { abortAfter } from './abort-after.js';
import type { Outgoing } from './agent.js';
import { toConnectionError } from './connection-error.js';

/**
 * Options of a request. The client never follows redirects; `redirect: 'manual'` is accepted because some libraries set
 * it.
 */
export interface FetchInit {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | Headers | undefined;
  readonly body?:
    | string
    | URLSearchParams
    | Uint8Array<ArrayBuffer>
    | ArrayBuffer
    | ReadableStream
    | null
    | undefined;
  readonly signal?: AbortSignal | null | undefined;
  readonly redirect?: string | undefined;
  /**
   * Id of the connector that the request is for. The operator can allow private or http origins for one connector. If
   * the id is absent, only public https origins are reachable.
   */
  readonly connector?: string | undefined;
}

export type Fetch = (url: string | URL, init?: FetchInit) => Promise<Response>;

export interface FetchOptions {
  /** Timeout in milliseconds from the start of the request to the last byte of the response body. Default: 10000. */
  readonly timeoutMs?: number;
  /**
   * Returns the id of the application for which the service sends the request, or `null` if the request belongs to no
   * application.
   */
  readonly application?: () => string | null;
}

// Returns the name of the connection pool for requests that the service itself sends for an application, such as token
// requests. Proxied requests of the application use another pool. `null`: the request belongs to no application.
const ownerOf = (application: string | null) => `service for ${application}`;
// Closes the connection after each request that the service itself sends (`reset`), because such requests are rare and
// carry codes, secrets or tokens.
const unshared = (dispatcher: Dispatcher): Dispatcher =>
  dispatcher.compose((dispatch) => (request, handler) => dispatch({ ...request, reset: true }, handler));

function toUndici(init: FetchInit, signal: AbortSignal, dispatcher: Dispatcher): UndiciInit {
  const { method, headers, body } = init;
  return {
    signal,
    dispatcher,
    redirect: 'manual',
    ...(method === undefined ? {} : { method }),
    ...(headers === undefined ? {} : { headers: Object.fromEntries(new Headers(headers)) }),
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  };
}

export function createFetch(
  agent: Pick<Outgoing, 'dispatcherFor'>,
  { timeoutMs = 10_000, application = () => null }: FetchOptions = {},
): Fetch {
  /**
   * Sends a request with the service's only HTTP client. Follows no redirects. Rejects with `connection_failed` or
   * `upstream_timeout`.
   */
  return async function fetchByAgent(url, init = {}) {
    const { origin } = new URL(url);
    const owner = ownerOf(application());
    const dispatcher = unshared(agent.dispatcherFor({ owner, connector: init.connector, origin }));
    const deadline = abortAfter(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      return await fetch(url, toUndici(init, signal, dispatcher));
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw toConnectionError(error);
    }
  };
}
