import { SESSION_LIFE_MS } from '../../operators/operator-sessions.js';
import { createHostCookie, type HostCookie } from '../host-cookie.js';

/** Creates the cookie with the session id of an operator. */
export function createSessionCookie(environmentUrl: string): HostCookie {
  return createHostCookie(environmentUrl, {
    name: 'svc-session',
    lifeMs: SESSION_LIFE_MS,
    sameSite: 'strict',
    form: /^[\w-]{43}$/,
  });
}

/**
 * Lifetime of the cookie with a WebAuthn challenge. The cookie lives longer than the challenge, because the service
 * tells an expired challenge from a guess by the cookie.
 */
const CHALLENGE_COOKIE_MS = 24 * 3_600_000;

/** Creates the cookie with a WebAuthn challenge. The cookie binds the challenge to one browser. */
export function createChallengeCookie(environmentUrl: string): HostCookie {
  return createHostCookie(environmentUrl, {
    name: 'svc-passkey',
    lifeMs: CHALLENGE_COOKIE_MS,
    sameSite: 'strict',
    form: /^[\w-]{43}\.\d{1,16}\.[\w-]{43}$/,
  });
}
