import type { Options } from 'ky';
import type { Call, SendOptions } from './call.js';
import type { ClientOptions, FetchInit } from './config.js';
import { describeFailure, type Thrown } from './describe-failure.js';
import type { ServiceError } from './errors.js';
import type { TokenSource } from './token.js';

const DEFAULT_TIMEOUT = 120_000;
const DEFAULT_RETRIES = 2;

/** What the attempts of all calls have in common. */
export interface AttemptSettings extends Pick<ClientOptions, 'fetch' | 'timeout' | 'maxRetries'> {
  /** Gives the token; calls go out without one when this is absent. */
  tokens?: TokenSource;
}

/** Says how the attempts of a call are sent, and when another one follows. */
export function attempts(call: Call, options: SendOptions, settings: AttemptSettings): Options {
  const { method, form_data, isProxied } = call;
  const { idempotencyKey, readOnly } = options;
  const { tokens } = settings;
  const totalTimeout = options.timeout ?? settings.timeout ?? DEFAULT_TIMEOUT;
  const maxRetries = options.maxRetries ?? settings.maxRetries ?? DEFAULT_RETRIES;
  let token: Promise<string> | undefined;
  return {
    timeout: false,
    totalTimeout,
    retry: {
      // What is sent as it is goes out once: it would have to be kept for a repeat, however large it is.
      // Beside the others, one for a token that has just ended.
      limit: form_data ? 0 : maxRetries + 1,
      methods: [method],
      jitter: true,
      shouldRetry: async ({ error, retryCount }) => {
        const { response }: Thrown = error;
        const failure = describeFailure(error, isProxied);
        if (failure.code === 'unauthorized') {
          return retryCount < 2 && (await tokens?.(token)) !== (await token);
        }
        const isSafe = method === 'GET' || readOnly || !!idempotencyKey;
        if (retryCount > maxRetries || !isTemporary(failure, isSafe, totalTimeout)) return false;
        // With an answer ky decides, and waits for as long as its Retry-After says.
        return response ? undefined : true;
      },
    },
    fetch: async (input) => {
      // ky hands over the Request that it has made.
      const request = input as Request;
      const { signal, headers, url } = request;
      token = tokens?.();
      if (token) {
        // Tokens are shared, and so do not end with the call that waits for one.
        const value = await Promise.race([
          token,
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        ]);
        headers.set('authorization', `Bearer ${value}`);
      }
      if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
      return settings.fetch?.(url, initOf(request, call)) ?? fetch(request);
    },
  };
}

const initOf = ({ method, headers, signal, body }: Request, call: Call): FetchInit => ({
  method,
  headers,
  signal,
  redirect: 'manual',
  duplex: 'half',
  body: call.body === undefined ? body : JSON.stringify(call.body),
});

function isTemporary(
  { code, status, retryAfter = 0, repeatable }: ServiceError & { repeatable?: boolean },
  isSafe: boolean,
  timeout: number,
): boolean {
  // What an upstream refused was repeated by the service, where its connector allows it.
  if (code === 'upstream_failed' || repeatable === false || retryAfter * 1000 > timeout) return false;
  // Nothing ran when the service answered 429.
  return status === 429 || (isSafe && (!status || status > 501));
}
