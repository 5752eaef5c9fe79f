import type { AccountName, CallOptions } from '@svc/core';
import { type ListSitesOptions, listSites } from './list-sites.js';
import { createRequests, type RecipeClient } from './requests.js';
import type { DriveItem, FileLocation, Site } from './resources.js';
import type { FilesiteOptions, Transfers } from './transfers.js';

/**
 * Ready-made functions for the files of a connected account of File-site, the document library connector, such as
 * listing sites and transferring files.
 */
export interface SiteFiles extends Transfers {
  /**
   * Lists the sites that match a search. Without a search: all sites that the user follows or the search index
   * contains.
   */
  listSites(options?: ListSitesOptions): Promise<Site[]>;
  /** Returns the root site of the user's organization. */
  getRootSite(options?: CallOptions): Promise<Site>;
  /** Returns the metadata of a file or folder. */
  getFile(file: FileLocation, options?: CallOptions): Promise<DriveItem>;
}

/** Creates the ready-made functions of File-site for a client and a connected account. */
export function siteFiles(
  client: RecipeClient,
  account: AccountName,
  options: FilesiteOptions = {},
): SiteFiles {
  const requests = createRequests(client, account);
  let transfers: Promise<Transfers> | undefined;
  // Imports the transfers dynamically, because they are 80 % of this package and many programs move no content.
  const load = async () => {
    const { createTransfers } = await import('./transfers.js');
    return createTransfers(client, account, { ...options, requests });
  };
  const loaded = () => {
    transfers ??= load().catch((error) => {
      transfers = undefined;
      throw error;
    });
    return transfers;
  };
  return {
    listSites: (callOptions) => listSites(requests, callOptions),
    getRootSite: (callOptions) => requests.send({ method: 'GET', path: '/v1.0/sites/root' }, callOptions),
    getFile: requests.getFile,
    download: async (file, callOptions) => (await loaded()).download(file, callOptions),
    upload: async (file, callOptions) => (await loaded()).upload(file, callOptions),
  };
}
