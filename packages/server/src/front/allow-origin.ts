import type { Origins } from '../applications/origins.js';
import type { ResponseHeaders } from './api-request.js';

/** Exposes all response headers to scripts. `*` works because browsers send these requests without credentials. */
const READABLE = { 'access-control-expose-headers': '*' };

/** Returns the CORS headers that let pages of one origin read a response. */
export const readableBy = (origin: string) => ({
  ...READABLE,
  'access-control-allow-origin': origin,
  vary: 'origin',
});

/**
 * CORS headers that let pages of every origin read a response. They do not vary by origin, so that caches store one
 * copy.
 */
export const READABLE_BY_ALL = { ...READABLE, 'access-control-allow-origin': '*' };

/**
 * Adds CORS headers to the response, even for errors, if an application has registered the origin. The check covers all
 * applications, because the calling application is known only after its access token is verified.
 */
export async function allowOrigin(
  origins: Pick<Origins, 'isKnown'>,
  origin: string,
  headers: ResponseHeaders,
): Promise<void> {
  if (!(await origins.isKnown(origin))) return;
  Object.assign(headers, readableBy(origin));
}
