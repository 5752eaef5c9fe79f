import { readPageToken, writePageToken } from '../../../google/page-token.js';
import { badArgument, type PlatformCall } from '../platform-call.js';
import type { Fields } from '../world.js';

const PAGE = 50;

/** One page under the name of its list; an empty list is an empty object. */
export function listed({ parameters }: PlatformCall, found: readonly Fields[], name: string): Fields {
  const asked = parameters.integer('pageSize', { min: 0, max: 1000, fallback: 0 });
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
