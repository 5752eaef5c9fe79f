import { existing } from '../../refusal.js';
import { itemNotFound } from './api-error.js';
import type { Call, Endpoint, Outcome } from './call.js';
import { readNames } from './item-name.js';
import {
  type FilesiteState,
  findItem,
  findItemAt,
  findSite,
  type ItemRecord,
  type SiteRecord,
} from './state.js';

/** Pattern, with one group, for the library in a path: a site's library, a library by its id, or the person's own. */
const LIBRARY = String.raw`^\/(sites\/[^/:]+\/drive|sites\/[^/:]+\/drives\/[^/:]+|drives\/[^/:]+|me\/drive)`;

export function findLibrary(state: FilesiteState, library: string): SiteRecord {
  if (library === 'me/drive') return personalSite(state);
  const [, siteId] = /^sites\/([^/]+)\/drive$/.exec(library) ?? [];
  if (siteId !== undefined) return findSite(state, siteId);
  const driveId = decodeURIComponent(library.split('/').at(-1) ?? '');
  const found = [...state.sites.values()].find((site) => site.driveId === driveId);
  return existing(found, itemNotFound);
}

export function personalSite({ sites }: FilesiteState): SiteRecord {
  const found = [...sites.values()].find(({ isPersonal }) => isPersonal);
  return existing(found, itemNotFound);
}

export type ItemHandler = (call: Call, site: SiteRecord, item: ItemRecord) => Outcome;

/** Matches a path below a library. A colon ends the path of the item. */
export const pathOf = (rest: string): RegExp => new RegExp(`${LIBRARY}${rest}$`);

export const ITEM_PATH = String.raw`\/root:\/([^:]+)`;
export const BELOW_ITEM = String.raw`\/items\/([^/:]+):\/([^:]+)`;

/** An endpoint of whatever `find` reads from the rest of a path below a library. */
export const endpointAt =
  <Found>(
    common: Pick<Endpoint, 'verb' | 'scopes' | 'options'>,
    handle: (call: Call, site: SiteRecord, found: Found) => Outcome,
  ) =>
  (rest: string, find: (site: SiteRecord, ...parts: string[]) => Found): Endpoint => ({
    ...common,
    path: pathOf(rest),
    handle(call, library = '', ...parts) {
      const site = findLibrary(call.state, library);
      return handle(call, site, find(site, ...parts));
    },
  });

/** The four ways to name an item: the root, a path, an id, a path below an id. `ending` follows paths differently. */
export function endpointsOfItem(
  handle: ItemHandler,
  ending: string,
  common: Pick<Endpoint, 'verb' | 'scopes' | 'options'>,
): readonly Endpoint[] {
  const atPath = ending === '' ? ':?' : `:${ending}`;
  const endpoint = endpointAt(common, handle);
  return [
    endpoint(`\\/root${ending}`, ({ root }) => root),
    endpoint(ITEM_PATH + atPath, (site, path = '') => findItemAt(site, readNames(path))),
    endpoint(`\\/items\\/([^/:]+)${ending}`, (site, id = '') => findItem(site, id)),
    endpoint(BELOW_ITEM + atPath, (site, id = '', path = '') =>
      findItemAt(site, readNames(path), findItem(site, id)),
    ),
  ];
}
