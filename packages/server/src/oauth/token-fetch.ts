import type { Fetch } from '../http/fetch.js';
import type { AuthorizationServer } from './authorization-server.js';
import { checkStatus } from './check-status.js';
import { readLimited } from './read-limited.js';
import { isErrorResponse, normalizeTokenResponse } from './token-response.js';

/** Options that oauth4webapi passes to a custom fetch. */
interface TokenFetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
}

/** Normalizes the status: some servers answer a revocation with 204, and an error with 200. */
function statusOf({ ok, status }: Response, text: string): number {
  if (ok && isErrorResponse(text)) return 400;
  return status === 204 ? 200 : status;
}

/** Adapts `fetch` for oauth4webapi: encodes requests for the server, and normalizes its responses for the library. */
export function createTokenFetch(
  fetch: Fetch,
  { connector, tokenRequest: style }: Pick<AuthorizationServer, 'connector' | 'tokenRequest'>,
) {
  async function tokenFetch(
    url: string,
    { method, headers, body, signal }: TokenFetchInit,
  ): Promise<Response> {
    const isJson = style.body === 'json';
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }) },
      body: isJson ? JSON.stringify(Object.fromEntries(body)) : body.toString(),
      redirect: 'manual',
      connector,
      signal,
    });
    try {
      checkStatus(response);
    } catch (error) {
      await response.body?.cancel();
      throw error;
    }
    const text = normalizeTokenResponse(await readLimited(response));
    // Headers are dropped, because the library would read a challenge instead of the error code of the body.
    return new Response(text, {
      status: statusOf(response, text),
      headers: { 'content-type': 'application/json' },
    });
  }
  return tokenFetch;
}
