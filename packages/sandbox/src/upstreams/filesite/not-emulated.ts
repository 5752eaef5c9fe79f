import { ApiError } from './api-error.js';
import type { Endpoint } from './call.js';
import { LIBRARY } from './library.js';
import { READ_FILES } from './scopes.js';

/** What the real service has within these scopes, and this one does not. */
const NOT_EMULATED: readonly (readonly [verb: Endpoint['verb'], path: string])[] = [
  ['POST', String.raw`^\/search\/query`],
  ['GET', String.raw`^\/me\/drive\/(?:recent|sharedWithMe)`],
  ['GET', String.raw`^\/me\/drive\/special\/`],
  ['POST', String.raw`^\/(?:me|users\/[^/]+)\/followedSites\/(?:add|remove)`],
  ['POST', String.raw`^\/sites\/[^/:]+\/lists`],
  ['PATCH', String.raw`^\/sites\/[^/:]+\/lists\/`],
  ['DELETE', String.raw`^\/sites\/[^/:]+\/lists\/`],
  ['GET', String.raw`^\/sites\/[^/:]+\/(?:pages|columns|contentTypes|permissions|sites|analytics)`],
  ['POST', `${LIBRARY}${String.raw`\/items\/[^/:]+\/(?:invite|checkin|checkout|preview|restore)`}`],
  ['GET', `${LIBRARY}${String.raw`\/items\/[^/:]+\/(?:analytics|activities|listItem)`}`],
];

export const notEmulatedEndpoints: readonly Endpoint[] = NOT_EMULATED.map(([verb, path]) => ({
  verb,
  path: new RegExp(path),
  scopes: READ_FILES,
  options: ['$top', '$select', '$skiptoken', '$expand', '$filter', '$orderby'],
  handle() {
    throw new ApiError(501, 'notSupported', 'The sandbox does not emulate this method.');
  },
}));
