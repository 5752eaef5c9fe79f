import type { Call, Endpoint, Outcome } from './call.js';
import { readNames } from './item-name.js';
import { findLibrary, LIBRARY } from './library.js';
import { findItem, findItemAt, type ItemRecord, type SiteRecord } from './state.js';

/** What is done with an item, however it was named. */
export type ItemHandler = (call: Call, site: SiteRecord, item: ItemRecord) => Outcome;

/** A path expression below a library; a colon ends the path of the item. */
export const pathOf = (rest: string): RegExp => new RegExp(`${LIBRARY}${rest}$`);

export const ITEM_PATH = String.raw`\/root:\/([^:]+)`;
export const BELOW_ITEM = String.raw`\/items\/([^/:]+):\/([^:]+)`;

/** The four ways to name an item: the root, a path, an id, a path below an id. `ending` follows paths differently. */
export function endpointsOfItem(
  handle: ItemHandler,
  ending: string,
  common: Pick<Endpoint, 'verb' | 'scopes' | 'options'>,
): readonly Endpoint[] {
  const atPath = ending === '' ? ':?' : `:${ending}`;
  return [
    {
      ...common,
      path: pathOf(`\\/root${ending}`),
      handle(call, library = '') {
        const site = findLibrary(call.state, library);
        return handle(call, site, site.root);
      },
    },
    {
      ...common,
      path: pathOf(ITEM_PATH + atPath),
      handle(call, library = '', path = '') {
        const site = findLibrary(call.state, library);
        return handle(call, site, findItemAt(site, readNames(path)));
      },
    },
    {
      ...common,
      path: pathOf(`\\/items\\/([^/:]+)${ending}`),
      handle(call, library = '', id = '') {
        const site = findLibrary(call.state, library);
        return handle(call, site, findItem(site, id));
      },
    },
    {
      ...common,
      path: pathOf(BELOW_ITEM + atPath),
      handle(call, library = '', id = '', path = '') {
        const site = findLibrary(call.state, library);
        return handle(call, site, findItemAt(site, readNames(path), findItem(site, id)));
      },
    },
  ];
}
