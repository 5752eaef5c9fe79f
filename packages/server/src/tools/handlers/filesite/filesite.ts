import { isJsonObject } from '@svc/catalog';
import { invalidField } from '../../../errors.js';
import type { Handlers } from '../../../generated/handlers.js';
import { listIn, objectIn, withoutUndefined } from '../json.js';
import { checkFolderName, itemPath } from './location.js';
import { nextPageToken, presentItem, presentSite } from './present-item.js';
import { readDocument } from './read-document.js';

const SELECTED =
  'id,name,size,webUrl,file,folder,package,lastModifiedDateTime,lastModifiedBy,parentReference';

// Matches paths of share links, such as `/:w:/s/team/…` and `/:w:/r/sites/team/…`.
const SHARED = /^\/:\w+:\/(?:r(?=\/)|(s)(?=\/))/;
const SITE = /^\/(?:sites|teams|personal)\/[^/]+/;

/** Converts the web address of a site to the path of that site in the upstream's API. */
function sitePathOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.port !== '' || url.username !== '' || !/^[a-z0-9.-]+$/.test(url.hostname))
    throw invalidField('url', 'format', 'must be the URL of a site, without port and user name.');
  const path = url.pathname.replace(SHARED, (_, short) => (short === undefined ? '' : '/sites'));
  const site = SITE.exec(path)?.[0];
  return `/v1.0/sites/${url.hostname}${site === undefined ? '' : `:${site}`}`;
}

const findSite: Handlers['filesite_find_site'] = async (input, send) => {
  if (input.url !== undefined) {
    const site = objectIn(await send({ method: 'GET', path: sitePathOf(input.url) }), 'a site');
    return { sites: [presentSite(site)] };
  }
  const query = { search: input.query, $top: input.max_results, $skiptoken: input.page_token };
  const page = objectIn(await send({ method: 'GET', path: '/v1.0/sites', query }), 'a list of sites');
  const sites = listIn(page, 'value').filter(isJsonObject).map(presentSite);
  return withoutUndefined({ sites, next_page_token: nextPageToken(page) });
};

const listFolder: Handlers['filesite_list_folder'] = async (input, send) => {
  const location = {
    siteId: input.site_id,
    driveId: input.drive_id,
    folderId: input.folder_id,
    path: input.path,
  };
  const query = { $top: input.max_results, $select: SELECTED, $skiptoken: input.page_token };
  const response = await send({ method: 'GET', path: itemPath(location, 'children'), query });
  const page = objectIn(response, 'a list of files');
  const items = listIn(page, 'value').filter(isJsonObject).map(presentItem);
  return withoutUndefined({ items, next_page_token: nextPageToken(page) });
};

const createFolder: Handlers['filesite_create_folder'] = async (input, send) => {
  checkFolderName(input.name);
  const location = {
    siteId: input.site_id,
    driveId: input.drive_id,
    folderId: input.folder_id,
    path: input.path,
  };
  const body = { name: input.name, folder: {}, '@microsoft.graph.conflictBehavior': input.conflict };
  const response = await send({ method: 'POST', path: itemPath(location, 'children'), body });
  return presentItem(objectIn(response, 'a folder'));
};

const MAX_BYTES = 4 * 1024 * 1024;

/** Encodes the content of the file to upload in Base64. Throws invalid_input if the content has more than 4 MiB. */
function contentOf({ text, base64 }: { readonly text?: string; readonly base64?: string }): string {
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  if (bytes.length > MAX_BYTES)
    throw invalidField(
      text === undefined ? 'base64' : 'text',
      'maxBytes',
      'is larger than the maximum of 4 MiB. The package @svc/filesite has a recipe that uploads larger files.',
    );
  return bytes.toString('base64');
}

const uploadFile: Handlers['filesite_upload_file'] = async (input, send) => {
  const { site_id: siteId, drive_id: driveId, folder_id: folderId, path } = input;
  const type = input.content_type ?? (input.text === undefined ? 'application/octet-stream' : 'text/plain');
  const file = await send({
    method: 'PUT',
    path: itemPath({ siteId, driveId, folderId, path }, 'content'),
    query: { '@microsoft.graph.conflictBehavior': input.conflict },
    body: { $file: contentOf(input), type },
    encoding: 'file',
  });
  return presentItem(objectIn(file, 'a file'));
};

export const filesite: Pick<Handlers, Extract<keyof Handlers, `filesite_${string}`>> = {
  // Handler code, because a JSON tool definition cannot split a web address into host and path, or find the page token
  // in a link of the response body.
  filesite_find_site: findSite,
  // Handler code, because a JSON tool definition cannot encode each segment of a folder path, or find the page token in
  // a link of the response body.
  filesite_list_folder: listFolder,
  // Handler code, because a JSON tool definition cannot encode each segment of a folder path.
  filesite_create_folder: createFolder,
  // Handler code, because a JSON tool definition cannot encode each segment of a folder path, or send text as bytes.
  filesite_upload_file: uploadFile,
  // Handler code, because a JSON tool definition cannot download the content by a signed link of another host, or
  // unpack office documents.
  filesite_read_document: readDocument,
};
