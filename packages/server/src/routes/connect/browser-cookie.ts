import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHostCookie, type HostCookie } from '../host-cookie.js';

// Lifetime of the cookie: one day. Browsers may reload an old tab, and only a browser with this cookie sees the result
// of an authorization link that it used.
const LIFE_MS = 24 * 3_600_000;

/**
 * Creates the cookie that binds a consent flow to its browser. `lax` is required, because the redirect from the
 * upstream must send the cookie.
 */
export const createBrowserCookie = (environmentUrl: string): HostCookie =>
  createHostCookie(environmentUrl, {
    name: 'svc-browser',
    lifeMs: LIFE_MS,
    sameSite: 'lax',
    form: /^[\w-]{43}$/,
  });

/** Returns the secret in the browser's cookie. Sets a cookie with a new secret if the browser has none. */
export function ensureBrowser(cookie: HostCookie, request: FastifyRequest, reply: FastifyReply): string {
  const browser = cookie.read(request) ?? randomBytes(32).toString('base64url');
  cookie.set(reply, browser);
  return browser;
}
