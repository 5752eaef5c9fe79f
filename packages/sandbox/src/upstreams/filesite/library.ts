import { itemNotFound } from './api-error.js';
import { type FilesiteState, findSite, type SiteRecord } from './state.js';

/** How a path names a library: as that of a site, by its id, or as the person's own. One group of a pattern. */
export const LIBRARY = String.raw`^\/(sites\/[^/:]+\/drive|sites\/[^/:]+\/drives\/[^/:]+|drives\/[^/:]+|me\/drive)`;

/** The site whose library a path names. */
export function findLibrary(state: FilesiteState, library: string): SiteRecord {
  if (library === 'me/drive') return personalSite(state);
  const [, siteId] = /^sites\/([^/]+)\/drive$/.exec(library) ?? [];
  if (siteId !== undefined) return findSite(state, siteId);
  const driveId = decodeURIComponent(library.split('/').at(-1) ?? '');
  const found = [...state.sites.values()].find((site) => site.driveId === driveId);
  if (found === undefined) throw itemNotFound();
  return found;
}

export function personalSite({ sites }: FilesiteState): SiteRecord {
  const found = [...sites.values()].find(({ isPersonal }) => isPersonal);
  if (found === undefined) throw itemNotFound();
  return found;
}
