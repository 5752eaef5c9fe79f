import { readPageToken, writePageToken } from '../../../google/page-token.js';
import type { Rules } from '../../../google/parameter-rules.js';
import { badArgument, type PlatformCall } from '../platform-call.js';
import type { Fields } from '../world.js';

export const PAGED: Rules = { pageSize: { min: 0 }, pageToken: 'text' };

const PAGE = 50;
const MOST = 1000;

/** One page under the name of its list; an empty list is an empty object. */
export function listed({ parameters }: PlatformCall, found: readonly Fields[], name: string): Fields {
  const asked = Math.min(MOST, parameters.integer('pageSize', 0));
  const size = asked === 0 ? PAGE : asked;
  const offset = readPageToken(parameters.text('pageToken'), parameters.fingerprint());
  if (offset === undefined) throw badArgument('Invalid page token.');
  const next = offset + size;
  const page = found.slice(offset, next);
  return {
    ...(page.length === 0 ? {} : { [name]: page }),
    ...(next < found.length ? { nextPageToken: writePageToken(next, parameters.fingerprint()) } : {}),
  };
}
