import { type CallOptions, type ClientOptions, ConnectionError, UpstreamError } from '@svc/core';

/** What sends requests to hosts that are not the service. */
export type Fetch = NonNullable<ClientOptions['fetch']>;

/** Sends one request to a signed address. */
export type SignedFetch = (url: string, init?: RequestInit) => Promise<Response>;

/** A fetch for addresses that are authorized by themselves: no credentials, and an error of ours for every failure. */
export function signedFetch(send: Fetch, signal: CallOptions['signal']): SignedFetch {
  return async (url, init) => {
    try {
      return await send(new Request(url, { credentials: 'omit', ...init, signal: signal ?? null }));
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ConnectionError({
        code: 'connection_failed',
        message: 'The host of the file did not answer.',
        cause,
      });
    }
  };
}

/** The JSON of an answer, typed as the upstream documents it and not checked at run time. */
export async function readAnswer<Data>(response: Response): Promise<Data> {
  return (await response.json()) as Data;
}

/** The error that an answer of a signed address stands for. The address is a secret, and stays out of it. */
export async function toUpstreamError(response: Response, what: string): Promise<UpstreamError> {
  const text = await response.text();
  return new UpstreamError({
    code: 'upstream_failed',
    message: `${what} was answered with ${response.status}.`,
    status: response.status,
    retryAfter: retryAfterOf(response),
    details: { body: parse(text) },
  });
}

/** Seconds that the answer asks to wait; undefined when it names none. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
