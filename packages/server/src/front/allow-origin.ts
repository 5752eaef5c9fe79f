import type { Origins } from '../applications/origins.js';
import type { AnswerHeaders } from './call.js';

/** Nothing is sent with credentials of a browser, so every header may be read. */
const READABLE = { 'access-control-expose-headers': '*' };

/** Lets the page of one origin read an answer. */
export const readableBy = (origin: string) => ({
  ...READABLE,
  'access-control-allow-origin': origin,
  vary: 'origin',
});

/** Lets every page read an answer that says the same to everybody, so that caches need not tell pages apart. */
export const READABLE_BY_ALL = { ...READABLE, 'access-control-allow-origin': '*' };

/**
 * Lets the page of a registered origin read the answer, errors too. Whose origin it is shows only when the token is known.
 */
export async function allowOrigin(
  origins: Pick<Origins, 'isKnown'>,
  origin: string,
  answered: AnswerHeaders,
): Promise<void> {
  if (!(await origins.isKnown(origin))) return;
  Object.assign(answered, readableBy(origin));
}
