import { type Dispatcher, fetch, type RequestInit as UndiciInit } from 'undici';
import { abortAfter } from './abort-after.js';
import type { Outgoing } from './agent.js';
import { toConnectionError } from './connection-error.js';

/** What a request may say; `redirect` is accepted for callers that always send it, and is always `manual`. */
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
  /** Whose listed origins may be asked, beside public https ones. */
  readonly connector?: string | undefined;
}

export type Fetch = (url: string | URL, init?: FetchInit) => Promise<Response>;

export interface FetchOptions {
  /** Of the whole exchange, the body included. */
  readonly timeoutMs?: number;
  /** For which application a request is; `null` when that is nobody's to say. */
  readonly application?: () => string | null;
}

// What is sent here holds codes, secrets and tokens, and is rare: no two requests share a connection.
const ownerOf = (application: string | null) => `service for ${application}`;
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

/** A fetch over the service's one client. Rejects with connection_failed or upstream_timeout; follows no redirect. */
export const createFetch =
  (
    agent: Pick<Outgoing, 'dispatcherFor'>,
    { timeoutMs = 10_000, application = () => null }: FetchOptions = {},
  ): Fetch =>
  async (url, init = {}) => {
    const { origin } = new URL(url);
    const way = { owner: ownerOf(application()), connector: init.connector, origin };
    const dispatcher = unshared(agent.dispatcherFor(way));
    const deadline = abortAfter(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      return await fetch(url, toUndici(init, signal, dispatcher));
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw toConnectionError(error);
    }
  };
