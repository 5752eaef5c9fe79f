import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHostCookie, type HostCookie } from '../host-cookie.js';

const LIFE_MS = 3_600_000;

/** Cookie that ties a flow to its browser. `lax`, because the redirect from the upstream must send it. */
export const createBrowserCookie = (environmentUrl: string): HostCookie =>
  createHostCookie(environmentUrl, {
    name: 'svc-browser',
    lifeMs: LIFE_MS,
    sameSite: 'lax',
    form: /^[\w-]{43}$/,
  });

/** Returns the browser's secret. A browser without one gets it with this reply. */
export function keepBrowser(cookie: HostCookie, request: FastifyRequest, reply: FastifyReply): string {
  const browser = cookie.read(request) ?? randomBytes(32).toString('base64url');
  cookie.set(reply, browser);
  return browser;
}
