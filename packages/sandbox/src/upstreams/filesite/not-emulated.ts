import { ApiError } from './api-error.js';
import type { Endpoint } from './call.js';
import { READ_FILES } from './scopes.js';

/** What the real service has within these scopes, and this one does not. */
const NOT_EMULATED: readonly (readonly [verb: Endpoint['verb'], path: RegExp])[] = [
  ['POST', /^\/search\/query/],
  ['GET', /^\/me\/drive\/(?:recent|sharedWithMe)/],
  ['GET', /^\/me\/drive\/special\//],
  ['POST', /^\/(?:me|users\/[^/]+)\/followedSites\/(?:add|remove)/],
  ['POST', /^\/sites\/[^/:]+\/lists/],
  ['PATCH', /^\/sites\/[^/:]+\/lists\//],
  ['DELETE', /^\/sites\/[^/:]+\/lists\//],
  ['GET', /^\/sites\/[^/:]+\/(?:pages|columns|contentTypes|permissions|sites|analytics)/],
  ['POST', /\/items\/[^/:]+\/(?:invite|checkin|checkout|preview|restore)$/],
  ['GET', /\/items\/[^/:]+\/(?:analytics|activities|listItem)$/],
];

export const notEmulatedEndpoints: readonly Endpoint[] = NOT_EMULATED.map(([verb, path]) => ({
  verb,
  path,
  scopes: READ_FILES,
  options: ['$top', '$select', '$skiptoken', '$expand', '$filter', '$orderby'],
  handle() {
    throw new ApiError(501, 'notSupported', 'The sandbox does not emulate this method.');
  },
}));
