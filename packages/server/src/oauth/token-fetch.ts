import type { Fetch } from '../http/fetch.js';
import type { AuthorizationServer } from './authorization-server.js';
import { checkStatus } from './check-status.js';
import { readLimited } from './read-limited.js';
import { normalizeTokenResponse } from './token-response.js';

const OF_METADATA = 'Otherwise ask the operator of the authorization server to correct its metadata.';

const TOKEN = {
  name: 'token endpoint',
  advice: `If the connection has a \`tokenEndpoint\`, set it to the URL to which the redirect points. ${OF_METADATA}`,
};

const REVOCATION = {
  name: 'revocation endpoint',
  advice: `If the connection has a \`revocationEndpoint\`, set it to the URL to which the redirect points. ${OF_METADATA}`,
};

/** Fetch options that oauth4webapi passes to a custom fetch. */
interface TokenFetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Wraps `fetch` for oauth4webapi: encodes requests as the server expects, and normalizes responses as the library
 * expects.
 */
export function createTokenFetch(
  fetch: Fetch,
  {
    connector,
    tokenRequest: style,
    errorCodes,
  }: Pick<AuthorizationServer, 'connector' | 'tokenRequest' | 'errorCodes'>,
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
      checkStatus(response, body.has('grant_type') ? TOKEN : REVOCATION);
    } catch (error) {
      await response.body?.cancel();
      throw error;
    }
    const { status, text } = normalizeTokenResponse(await readLimited(response), {
      status: response.status,
      isRefresh: body.get('grant_type') === 'refresh_token',
      errorCodes,
    });
    // Response headers are dropped. The library would otherwise read a `WWW-Authenticate` challenge instead of the
    // error code in the body.
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  }
  return tokenFetch;
}
