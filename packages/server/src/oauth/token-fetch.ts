import type { Fetch } from '../http/fetch.js';
import type { AuthorizationServer } from './authorization-server.js';
import { checkStatus } from './check-status.js';
import { readLimited } from './read-limited.js';
import { isErrorAnswer, normalizeTokenAnswer } from './token-answer.js';

/** What oauth4webapi hands to a fetch of the caller's. */
interface TokenFetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
}

/** As the protocol has it: a revocation may also be answered with 204, and an error with 200. */
function statusOf({ ok, status }: Response, text: string): number {
  if (ok && isErrorAnswer(text)) return 400;
  return status === 204 ? 200 : status;
}

/** Sends what oauth4webapi made in the form that the server takes, and gives it the answer in the form that it checks. */
export const createTokenFetch =
  (
    fetch: Fetch,
    { connector, tokenRequest: style }: Pick<AuthorizationServer, 'connector' | 'tokenRequest'>,
  ) =>
  async (url: string, { method, headers, body, signal }: TokenFetchInit): Promise<Response> => {
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
    const text = normalizeTokenAnswer(await readLimited(response));
    // A challenge beside an error would hide its code, so no header is kept.
    return new Response(text, {
      status: statusOf(response, text),
      headers: { 'content-type': 'application/json' },
    });
  };
