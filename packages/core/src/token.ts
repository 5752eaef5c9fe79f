import type { ClientOptions, GivenToken } from './config.js';

/** Returns the cached access token, or a new token if `rejected` is the cached one. */
export type TokenSource = (rejected?: Promise<string>) => Promise<string>;

/**
 * Caches one access token for all calls. Renews the token after 90 % of its lifetime, and when the service has rejected
 * it.
 */
export function sharedToken(accessToken: NonNullable<ClientOptions['accessToken']>): TokenSource {
  let current: Promise<string> | undefined;
  /** Time at which the access token is renewed, in epoch milliseconds. */
  let renewAt = 0;

  async function renew(): Promise<string> {
    // Prevents a second renewal while the token request is pending. All calls wait for one token.
    renewAt = Infinity;
    let given: GivenToken = '';
    try {
      given = typeof accessToken === 'string' ? accessToken : await accessToken();
    } finally {
      renewAt = renewalTime(given);
    }
    return typeof given === 'string' ? given : given.token;
  }

  return (rejected) => {
    const isFresh = Date.now() < renewAt;
    // Renews a token that is missing, old or rejected by the service. If another call has already replaced the rejected
    // token, uses the new one: calls whose token was rejected at the same time then share
    // one renewal.
    if (!current || current === rejected || !isFresh) current = renew();
    return current;
  };
}

/**
 * Returns the time at which the access token is renewed, in epoch milliseconds. A plain string or a failed request has
 * no expiry, so 0 lets the next call renew.
 */
function renewalTime(given: GivenToken): number {
  if (typeof given === 'string') return 0;
  const now = Date.now();
  return now + (Date.parse(given.expiresAt) - now) * 0.9;
}

/** Wraps the error of a failed token request. The caller receives the wrapped error unchanged. */
export class TokenError extends Error {}

/** Access token of one call to the service. */
export interface CallToken {
  /** Adds the current access token to the request of an attempt, as the header `authorization`. */
  attach(attempt: { readonly request: Request }): Promise<void>;
  /** Requests another access token, and resolves to true if it differs from the rejected one. */
  renew(): Promise<boolean>;
}

/** Creates the access token of one call, which is added to each attempt of the call. */
export function callToken(tokens: TokenSource | undefined): CallToken {
  let attached: Promise<string> | undefined;
  let signal: AbortSignal;
  return {
    async attach({ request }) {
      if (!tokens) return;
      ({ signal } = request);
      signal.throwIfAborted();
      attached = tokens();
      const token = await resolveToken(attached, signal);
      request.headers.set('authorization', `Bearer ${token}`);
    },
    async renew() {
      if (!tokens) return false;
      const rejected = await attached;
      return (await resolveToken(tokens(attached), signal)) !== rejected;
    },
  };
}

/**
 * Waits for a token until the call is aborted. The token request then continues, because other calls share it. Throws a
 * `TokenError`.
 */
async function resolveToken(token: Promise<string>, signal: AbortSignal): Promise<string> {
  try {
    return await Promise.race([token, rejectOnAbort(signal)]);
  } catch (cause) {
    throw new TokenError('', { cause });
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
