import { CHALLENGE_LIFE_MS } from '../../operators/passkey-challenges.js';
import { createHostCookie, type HostCookie } from '../host-cookie.js';

/** Of a browser that is asked for a passkey. */
export const createChallengeCookie = (environmentUrl: string): HostCookie =>
  createHostCookie(environmentUrl, {
    name: 'svc-passkey',
    lifeMs: CHALLENGE_LIFE_MS,
    sameSite: 'strict',
    form: /^[\w-]{43}\.\d{1,16}\.[\w-]{43}$/,
  });
