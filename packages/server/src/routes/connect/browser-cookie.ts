import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHostCookie, type HostCookie } from '../host-cookie.js';

const LIFE_MS = 3_600_000;

/** Ties a flow to the browser that began it. The redirect of the other side brings it along. */
export const createBrowserCookie = (environmentUrl: string): HostCookie =>
  createHostCookie(environmentUrl, {
    name: 'svc-browser',
    lifeMs: LIFE_MS,
    sameSite: 'lax',
    form: /^[\w-]{43}$/,
  });

/** The browser's own secret, which it gets with this answer when it has none. */
export function keepBrowser(cookie: HostCookie, request: FastifyRequest, reply: FastifyReply): string {
  const browser = cookie.read(request) ?? randomBytes(32).toString('base64url');
  cookie.set(reply, browser);
  return browser;
}
