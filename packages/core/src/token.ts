import type { ClientOptions, GivenToken } from './config.js';

/** Gives the current token, or a new one in place of one that the service rejected. */
export type TokenSource = (rejected?: Promise<string>) => Promise<string>;

/** Caches one token for all calls. Renews it after nine tenths of its lifetime, and when the service rejected it. */
export function sharedToken(accessToken: NonNullable<ClientOptions['accessToken']>): TokenSource {
  let current: Promise<string> | undefined;
  /** Epoch milliseconds. */
  let renewAt = 0;

  async function renew(): Promise<string> {
    // All calls share the pending token.
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
    // Calls that were rejected with the same token share one renewal.
    if (!current || current === rejected || !isFresh) current = renew();
    return current;
  };
}

/** A plain string has no expiry, and neither has a failure: 0, so that the next call renews. */
function renewalTime(given: GivenToken): number {
  if (typeof given === 'string') return 0;
  const now = Date.now();
  return now + (Date.parse(given.expiresAt) - now) * 0.9;
}

/** Wraps the error of a token request, which the caller gets unchanged. */
export class TokenError extends Error {
  override name = 'TokenError';
}

/** The token of one call. */
export interface CallToken {
  /** Adds the current token to the request of an attempt. */
  attach(attempt: { readonly request: Request }): Promise<void>;
  /** Requests another token, and reports whether it differs from the rejected one. */
  renew(): Promise<boolean>;
}

/** Attaches the shared token to each attempt of one call. */
export function callToken(tokens: TokenSource | undefined): CallToken {
  let attached: Promise<string> | undefined;
  return {
    async attach({ request }) {
      if (!tokens) return;
      request.signal.throwIfAborted();
      attached = tokens();
      // The token is shared, so it stays pending when only this call ends.
      const token = await resolveToken(Promise.race([attached, rejectOnAbort(request.signal)]));
      request.headers.set('authorization', `Bearer ${token}`);
    },
    async renew() {
      if (!tokens) return false;
      const rejected = await attached;
      return (await resolveToken(tokens(attached))) !== rejected;
    },
  };
}

async function resolveToken(token: Promise<string>): Promise<string> {
  try {
    return await token;
  } catch (cause) {
    throw new TokenError('No access token', { cause });
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
