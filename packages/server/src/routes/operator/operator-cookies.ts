import { SESSION_LIFE_MS } from '../../operators/operator-sessions.js';
import { CHALLENGE_LIFE_MS } from '../../operators/passkey-challenges.js';
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

/** Creates the cookie with a WebAuthn challenge. The cookie binds the challenge to one browser. */
export function createChallengeCookie(environmentUrl: string): HostCookie {
  return createHostCookie(environmentUrl, {
    name: 'svc-passkey',
    lifeMs: CHALLENGE_LIFE_MS,
    sameSite: 'strict',
    form: /^[\w-]{43}\.\d{1,16}\.[\w-]{43}$/,
  });
}
