import { loadKy } from '#load-ky';
import type { Answer, Call, SendOptions } from './call.js';
import type { ClientOptions, FetchInit } from './config.js';
import { AccountNotAuthorizedError, demand, ServiceError, toServiceError } from './errors.js';
import { UNSAFE_PATH } from './path.js';
import { readAnswer } from './read-answer.js';
import type { AuthorizationLink } from './resources.js';
import type { TokenSource } from './token.js';

/** What all calls have in common. */
export interface SenderSettings extends ClientOptions {
  environmentUrl: string;
  /** Gives the token; calls go out without one when this is absent. */
  tokens?: TokenSource;
}

/** Sends one call. */
export type Send = (call: Call, options?: SendOptions) => Promise<Answer>;

interface Failed {
  readonly error: Partial<ServiceError> & { readonly repeatable?: boolean };
  readonly retryCount: number;
}

/** What was thrown. ky's own errors hold the request, and so the token. */
interface Thrown extends Error {
  readonly request?: Request;
}

/** Sends calls to the service, and turns every failure into an error of ours. */
export function sender(settings: SenderSettings): Send {
  // One function: what is sent, whether it is sent again and what its failure is called all go by how far the call is.
  const send: Send = async (call, options = {}) => {
    const { tokens } = settings;
    const { method, path, body, form_data, isProxied } = call;
    const {
      signal,
      readOnly,
      idempotencyKey,
      timeout = settings.timeout ?? 120_000,
      maxRetries = settings.maxRetries ?? 2,
    } = options;
    const end = Date.now() + timeout;
    // What a failure is that comes now, without an answer; empty for one of the application's own, while it gives the token.
    let code = 'invalid_request';
    let answer: Answer | undefined;
    let token: Promise<string> | undefined;
    let wait = 0;
    demand(!UNSAFE_PATH.test(path), 'invalid_request', `No safe path: ${path}`);
    try {
      // Of a name that is spelled in two ways the last value counts; what is undefined becomes a text, which ky takes for what it was.
      const key = new Headers({ 'idempotency-key': (idempotencyKey || undefined) as string });
      const layers = [key, settings.headers, call.headers, options.headers];
      const ky = layers.reduce(
        (parent, headers) => (headers ? parent.extend({ headers }) : parent),
        await loadKy(),
      );
      await ky(path, {
        method,
        prefix: settings.environmentUrl,
        searchParams: call.queryParams,
        json: body,
        signal: signal as AbortSignal,
        timeout: false,
        totalTimeout: timeout,
        fetch: async (request) => {
          const { url, headers, signal } = request as Request;
          if (tokens) {
            code = '';
            token = tokens();
            // Tokens are shared, and so do not end with the call that waits for one.
            headers.set(
              'authorization',
              `Bearer ${await Promise.race([token, new Promise((_, reject) => (signal.onabort = reject))])}`,
            );
          }
          code = 'connection_failed';
          const response = await (settings.fetch ?? fetch)(url, {
            method,
            headers,
            signal,
            redirect: 'manual',
            duplex: 'half',
            // As it was given: a Request has it as a stream, which browsers send over HTTP/2 alone, or not at all.
            body: (JSON.stringify(body) ?? form_data ?? null) as FetchInit['body'],
          });
          answer = await readAnswer(response as Response, call, options);
          return new Response();
        },
        retry: {
          // What goes through the proxy as it is goes once: it would have to be kept for a repeat, however large it is.
          limit: isProxied && form_data ? 0 : 10_000,
          methods: [method],
          jitter: (delay) => wait || Math.random() * delay,
          shouldRetry: async ({
            error: { code: failed, status, retryAfter = 0, repeatable },
            retryCount,
          }: Failed) => {
            wait = retryAfter * 1000;
            if (failed === 'unauthorized') return retryCount < 2 && (await token) !== (await tokens?.(token));
            // The service runs one key once; what a key is to an upstream is for the caller to know.
            const isSafe = method === 'GET' || readOnly || (idempotencyKey && !isProxied);
            // Nothing ran when the service answered 429; without a status nobody answered.
            const isTemporary = status === 429 || (isSafe && !((status as number) < 502));
            // What an upstream refused was repeated by the service, where its connector allows it.
            const isFinal = !code || failed === 'upstream_failed' || repeatable === false;
            // The same call runs already: its answer is waited for as long as the call has time, however often.
            const isRunning = failed === 'conflict' && wait;
            return (
              !!(isRunning || (isTemporary && !isFinal && retryCount <= maxRetries)) &&
              wait <= end - Date.now()
            );
          },
        },
      });
      return answer as unknown as Answer;
    } catch (thrown) {
      signal?.throwIfAborted();
      const { request, name, message, cause } = thrown as Thrown;
      const error = request ? cause : thrown;
      if (error instanceof AccountNotAuthorizedError) {
        const toLink = { method: 'POST', path: error.authorizationLinkPath };
        error.getLink = async (linkOptions) => (await send(toLink, linkOptions)).data as AuthorizationLink;
      }
      // All calls that waited for a token share what it failed with, and so it gets the key of none.
      if (error instanceof ServiceError || (error && !code)) throw error;
      throw toServiceError({
        code: name === 'TimeoutError' ? 'timeout' : code,
        // Paths name the user, and hold what was asked.
        message: message.split('/v1/')[0] as string,
        cause: error,
        idempotencyKey,
      });
    }
  };
  return send;
}
