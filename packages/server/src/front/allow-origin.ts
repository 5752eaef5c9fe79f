import type { Origins } from '../applications/origins.js';
import type { ResponseHeaders } from './call.js';

/** Every header may be read, because browsers send no credentials of their own. */
const READABLE = { 'access-control-expose-headers': '*' };

/** Headers that let pages of one origin read a response. */
export const readableBy = (origin: string) => ({
  ...READABLE,
  'access-control-allow-origin': origin,
  vary: 'origin',
});

/** Headers that let every page read a response. They do not vary by origin, so that caches keep one copy. */
export const READABLE_BY_ALL = { ...READABLE, 'access-control-allow-origin': '*' };

/** Lets pages of a registered origin read the response, errors included. The application is not known before the access token. */
export async function allowOrigin(
  origins: Pick<Origins, 'isKnown'>,
  origin: string,
  headers: ResponseHeaders,
): Promise<void> {
  if (!(await origins.isKnown(origin))) return;
  Object.assign(headers, readableBy(origin));
}
