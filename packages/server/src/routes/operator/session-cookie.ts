import { SESSION_LIFE_MS } from '../../operators/operator-sessions.js';
import { createHostCookie, type HostCookie } from '../host-cookie.js';

/** Of a signed-in operator. */
export const createSessionCookie = (environmentUrl: string): HostCookie =>
  createHostCookie(environmentUrl, {
    name: 'svc-session',
    lifeMs: SESSION_LIFE_MS,
    sameSite: 'strict',
    form: /^[\w-]{43}$/,
  });
