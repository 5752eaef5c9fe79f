import type { Rules } from '../../../google/parameter-rules.js';
import { forbidden, missingParameter } from '../refusals.js';
import type { Channel } from '../world.js';

const OWNER = 'onBehalfOfContentOwner';
const CHANNEL = 'onBehalfOfContentOwnerChannel';

/** What partners may add to a request. */
export const OWNED: Rules = { [OWNER]: 'text' };
export const OWNED_CHANNEL: Rules = { ...OWNED, [CHANNEL]: 'text' };

/** Refuses a content owner that the caller does not act for, and a channel without one. */
export function checkOwner(query: URLSearchParams, { contentOwner }: Channel, isPartner: boolean): void {
  const owner = query.get(OWNER);
  if (owner === null && query.has(CHANNEL)) throw missingParameter(OWNER);
  if (owner !== null && !(isPartner && owner === contentOwner)) throw forbidden();
}
