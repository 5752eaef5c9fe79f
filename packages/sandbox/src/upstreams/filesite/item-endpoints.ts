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

/**
 * Pattern for the document library in a path, with one capture group. Matches the library of a site, of the person, or
 * by id.
 */
const LIBRARY = String.raw`^\/(sites\/[^/:]+\/drive|sites\/[^/:]+\/drives\/[^/:]+|drives\/[^/:]+|me\/drive)`;

export function findLibrary(state: FilesiteState, library: string): SiteRecord {
  if (library === 'me/drive') return personalSite(state);
  const [, siteId] = /^sites\/([^/]+)\/drive$/.exec(library) ?? [];
  if (siteId !== undefined) return findSite(state, siteId);
  const driveId = decodeURIComponent(library.split('/').at(-1) ?? '');
  const match = [...state.sites.values()].find((site) => site.driveId === driveId);
  return existing(match, itemNotFound);
}

export function personalSite({ sites }: FilesiteState): SiteRecord {
  const match = [...sites.values()].find(({ isPersonal }) => isPersonal);
  return existing(match, itemNotFound);
}

export type ItemHandler = (call: Call, site: SiteRecord, item: ItemRecord) => Outcome;

/** Builds a pattern for a path inside a document library. A colon ends the item path. */
export const pathOf = (rest: string): RegExp => new RegExp(`${LIBRARY}${rest}$`);

export const ITEM_PATH = String.raw`\/root:\/([^:]+)`;
export const BELOW_ITEM = String.raw`\/items\/([^/:]+):\/([^:]+)`;

/**
 * Returns a factory for endpoints inside a document library. `find` resolves the rest of the path, such as an item id.
 */
export const endpointAt =
  <Target>(
    common: Pick<Endpoint, 'verb' | 'scopes' | 'options'>,
    handle: (call: Call, site: SiteRecord, target: Target) => Outcome,
  ) =>
  (rest: string, find: (site: SiteRecord, ...parts: string[]) => Target): Endpoint => ({
    ...common,
    path: pathOf(rest),
    handle(call, library = '', ...parts) {
      const site = findLibrary(call.state, library);
      return handle(call, site, find(site, ...parts));
    },
  });

/**
 * Builds an endpoint for each of the four ways to address an item: root, path, id, path below an id. `ending` is the
 * rest of the URL path.
 */
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
