import type { Origins } from '../tenants/origins.js';
import type { AnswerHeaders } from './call.js';

/**
 * Lets the page of a registered origin read the answer, errors too. Whose origin it is shows only when the token is known.
 * Nothing is sent with credentials of a browser, so every header may be read.
 */
export async function allowOrigin(
  origins: Pick<Origins, 'isKnown'>,
  origin: string,
  answered: AnswerHeaders,
): Promise<void> {
  if (!(await origins.isKnown(origin))) return;
  answered['access-control-allow-origin'] = origin;
  answered['access-control-expose-headers'] = '*';
  answered['vary'] = 'origin';
}
