import type { Options } from 'ky';
import type { Sending } from './call.js';
import type { FetchInit } from './config.js';
import type { ServiceError } from './errors.js';
import { readAnswer } from './read-answer.js';

interface Failing {
  readonly error: Partial<ServiceError> & { readonly repeatable?: boolean };
  readonly retryCount: number;
}

/**
 * Says how the attempts of a call are sent, and when another one follows. They are counted here: ky counts waits and new tokens
 * as well. What goes through the proxy as it is goes once: it would have to be kept for a repeat, however large it is.
 */
export function attempts(sending: Sending, end: number): Pick<Options, 'retry' | 'fetch'> {
  const { method, body, form_data, isProxied, tokens, maxRetries = 2 } = sending;
  // The service runs one key once; what a key is to an upstream is for the caller to know.
  const isSafe = method === 'GET' || sending.readOnly || (sending.idempotencyKey && !isProxied);
  const limit = isProxied && form_data ? 0 : 10_000;
  let token: Promise<string> | undefined;
  let repeats = 0;
  let wait = 0;
  const jitter = (delay: number) => wait || Math.random() * delay;
  const shouldRetry = async ({
    error: { code, status, retryAfter = 0, repeatable },
    retryCount,
  }: Failing) => {
    wait = retryAfter * 1000;
    if (code === 'unauthorized') return retryCount < 2 && (await tokens?.(token)) !== (await token);
    // The same call runs already: its answer is waited for, as long as the call has time.
    const isRunning = code === 'conflict' && wait;
    if (!isRunning) repeats += 1;
    // What an upstream refused was repeated by the service, where its connector allows it.
    const isFinal = !sending.code || code === 'upstream_failed' || repeatable === false;
    // Nothing ran when the service answered 429; without a status nobody answered.
    const isTemporary = isRunning || status === 429 || (isSafe && (!status || status > 501));
    return !!isTemporary && !isFinal && repeats <= maxRetries && wait <= end - Date.now();
  };
  const send = async (request: unknown) => {
    const { url, headers, signal } = request as Request;
    if (tokens) {
      sending.code = '';
      token = tokens();
      headers.set('authorization', `Bearer ${await Promise.race([token, aborted(signal)])}`);
    }
    sending.code = 'connection_failed';
    // As it was given: a Request has it as a stream, which browsers send over HTTP/2 alone, or not at all.
    const whole = (JSON.stringify(body) ?? form_data ?? null) as FetchInit['body'];
    const init: FetchInit = { method, headers, signal, redirect: 'manual', duplex: 'half', body: whole };
    const response = (await (sending.fetch ?? fetch)(url, init)) as Response;
    sending.answer = await readAnswer(response, sending);
    return response;
  };
  return { fetch: send, retry: { limit, methods: [method], jitter, shouldRetry } };
}

/** Tokens are shared, and so do not end with the call that waits for one. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.onabort = reject;
  });
