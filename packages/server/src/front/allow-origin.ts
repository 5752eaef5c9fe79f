import type { Origins } from '../applications/origins.js';
import type { ResponseHeaders } from './api-request.js';

/**
 * CORS header that exposes all response headers to scripts. `*` works because browsers send these requests without
 * credentials.
 */
const READABLE = { 'access-control-expose-headers': '*' };

/** Returns the CORS headers that let web pages of one origin read a response. */
export const readableBy = (origin: string) => ({
  ...READABLE,
  'access-control-allow-origin': origin,
  vary: 'origin',
});

/**
 * CORS headers that let web pages of every origin read a response. They do not vary by origin, so caches need to store
 * only one copy.
 */
export const READABLE_BY_ALL = { ...READABLE, 'access-control-allow-origin': '*' };

/**
 * Adds CORS headers to the response if any application has registered the origin, so that its pages can read errors
 * too. The calling application is not known yet, because its access token is verified later.
 */
export async function allowOrigin(
  origins: Pick<Origins, 'isKnown'>,
  origin: string,
  headers: ResponseHeaders,
): Promise<void> {
  if (!(await origins.isKnown(origin))) return;
  Object.assign(headers, readableBy(origin));
}
