import type { AccountName } from '@svc/core';
import { type Download, type DownloadOptions, download } from './download.js';
import type { RecipeClient, Requests } from './requests.js';
import type { DriveItem, FileLocation } from './resources.js';
import { type Fetch, openSigned } from './signed-fetch.js';
import { checkLinks } from './signed-links.js';
import { type Upload, type UploadOptions, upload } from './upload.js';

/** The recipes that move content. */
export interface Transfers {
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

export function createTransfers(
  client: RecipeClient,
  account: AccountName,
  { requests, fetch = globalThis.fetch, fileDomains }: FilesiteOptions & { requests: Requests },
): Transfers {
  const open = openSigned(fetch, checkLinks(client, account, fileDomains));
  return {
    download: (file, given) => download(requests, file, { ...given, open }),
    upload: (file, given) => upload(requests, file, { ...given, open }),
  };
}
