import type { AccountName } from '@svc/core';
import { type Download, type DownloadOptions, download } from './download.js';
import type { RecipeClient, Requests } from './requests.js';
import type { DriveItem, FileLocation } from './resources.js';
import { type Fetch, openSigned } from './signed-fetch.js';
import { checkLinks } from './signed-links.js';
import { type Upload, type UploadOptions, upload } from './upload.js';

/** Functions that download and upload the content of files, with several requests if needed. */
export interface Transfers {
  /** Downloads a file, or a part of it, as a stream. Throws `not_downloadable` for a folder. */
  download(file: FileLocation, options?: DownloadOptions): Promise<Download>;
  /** Uploads a file of any size. A file above 4 MiB is sent in parts, and failed parts are sent again. */
  upload(file: Upload, options?: UploadOptions): Promise<DriveItem>;
}

/** Options of the functions that `siteFiles` creates. */
export interface FilesiteOptions {
  /** Function that requests signed URLs, which belong to file hosts of the upstream. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Domains of file hosts to which signed URLs may point, over https. Default: `sharepoint.com`. */
  fileDomains?: readonly string[] | undefined;
}

export function createTransfers(
  client: RecipeClient,
  account: AccountName,
  { requests, fetch = globalThis.fetch, fileDomains }: FilesiteOptions & { requests: Requests },
): Transfers {
  const open = openSigned(fetch, checkLinks(client, account, fileDomains));
  return {
    download: (file, options) => download(requests, file, { ...options, open }),
    upload: (file, options) => upload(requests, file, { ...options, open }),
  };
}
