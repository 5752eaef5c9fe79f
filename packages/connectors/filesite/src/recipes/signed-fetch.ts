import { type CallOptions, ConnectionError, ServiceError, UpstreamError } from '@svc/core';
import type { CheckLink } from './signed-links.js';

/** Sends requests to hosts other than the service. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends one request to a signed address. */
export type SignedFetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Gives a fetch for signed addresses that ends with the signal. */
export type OpenSigned = (signal: CallOptions['signal']) => SignedFetch;

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

const redirected = (): ServiceError =>
  new ServiceError({
    code: 'link_refused',
    message: 'The host of the file sent the request on to another address, which is not followed.',
  });

/** A fetch for addresses that are authorized by themselves: no credentials, no redirects, and an error of ours for every failure. */
export const openSigned =
  (send: Fetch, check: CheckLink): OpenSigned =>
  (signal) =>
  async (url, init) => {
    await check(url);
    const response = await sendSigned(send, url, { ...init, signal: signal ?? null });
    if (!isRedirect(response)) return response;
    await response.body?.cancel();
    throw redirected();
  };

async function sendSigned(send: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, { ...init, credentials: 'omit', redirect: 'manual' });
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw new ConnectionError({
      code: 'connection_failed',
      message: 'The host of the file did not answer.',
      cause,
    });
  }
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
