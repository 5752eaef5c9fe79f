import type { AccountName, CallOptions } from '@svc/core';
import { type Download, type DownloadOptions, download } from './download.js';
import { type ListSitesOptions, listSites } from './list-sites.js';
import { createRequests, type RecipeClient } from './requests.js';
import type { DriveItem, FileLocation, Site } from './resources.js';
import { type Fetch, openSigned } from './signed-fetch.js';
import { checkLinks } from './signed-links.js';
import { type Upload, type UploadOptions, upload } from './upload.js';

/** The recipes of File-site, for one account. */
export interface Filesite {
  /** Lists sites: all that the user follows or the search knows, or those that a search finds. */
  listSites(options?: ListSitesOptions): Promise<Site[]>;
  /** Gives the root site of the user's organization. */
  getRootSite(options?: CallOptions): Promise<Site>;
  /** Gives the metadata of a file or folder. */
  getFile(file: FileLocation, options?: CallOptions): Promise<DriveItem>;
  /** Downloads a file, or a part of it, as a stream. Throws `not_downloadable` for a folder. */
  download(file: FileLocation, options?: DownloadOptions): Promise<Download>;
  /** Uploads a file of any size; above 4 MiB in parts, which are sent again when they fail. */
  upload(file: Upload, options?: UploadOptions): Promise<DriveItem>;
}

/** Settings of the recipes. */
export interface FilesiteOptions {
  /** Fetches signed links, which are not of the service. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Domains of the hosts that signed links may lead to, over https. Default: `sharepoint.com`. */
  fileDomains?: readonly string[] | undefined;
}

/** Makes the recipes of File-site for a client and a connected account. */
export function filesite(
  client: RecipeClient,
  account: AccountName,
  options: FilesiteOptions = {},
): Filesite {
  const requests = createRequests(client, account);
  const { fetch = globalThis.fetch, fileDomains } = options;
  const open = openSigned(fetch, checkLinks(client, account, fileDomains));
  return {
    listSites: (given) => listSites(requests, given),
    getRootSite: (given) => requests.send({ method: 'GET', path: '/v1.0/sites/root' }, given),
    getFile: requests.getFile,
    download: (file, given) => download(requests, file, { ...given, open }),
    upload: (file, given) => upload(requests, file, { ...given, open }),
  };
}
