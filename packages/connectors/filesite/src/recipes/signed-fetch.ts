import { type CallOptions, ConnectionError, ServiceError, UpstreamError } from '@svc/core';
import type { CheckLink } from './signed-links.js';

/** Function that sends requests to hosts other than the service. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Function that sends one request to a signed URL. */
export type SignedFetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Creates a function for requests to signed URLs, which the signal aborts. */
export type OpenSigned = (signal: CallOptions['signal']) => SignedFetch;

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

const redirected = (): ServiceError =>
  new ServiceError({
    code: 'link_refused',
    message:
      'The host of the file redirected the request, and redirects are not followed. Retry with a new link.',
  });

/**
 * Creates a `fetch` for signed URLs. Sends no credentials, because the URL itself is authorized. Throws a
 * `ServiceError` for a redirect or a failed connection.
 */
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
      message: 'The host of the file did not respond. Retry, or check the network of this machine.',
      cause,
    });
  }
}

/** Parses a JSON response. The type is the one that the upstream documents; it is not checked at run time. */
export async function readJson<Data>(response: Response): Promise<Data> {
  return (await response.json()) as Data;
}

/**
 * Converts an error response of a signed URL to an `UpstreamError`. The message leaves out the URL, because it is a
 * secret.
 */
export async function toUpstreamError(response: Response, what: string): Promise<UpstreamError> {
  const text = await response.text();
  return new UpstreamError({
    code: 'upstream_failed',
    message: `${what} failed with HTTP ${response.status}. Read the reason in body.`,
    status: response.status,
    retryAfter: retryAfterOf(response),
    details: { body: parse(text) },
  });
}

/** Returns the seconds to wait according to `Retry-After`. Undefined without the header. */
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
