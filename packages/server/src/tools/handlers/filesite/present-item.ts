import { isJsonObject } from '@svc/catalog';
import { type Json, withoutUndefined } from '../json.js';

const partOf = (object: Json, name: string): Json => {
  const part = object[name];
  return isJsonObject(part) ? part : {};
};

const kindOf = (item: Json): string =>
  ['folder', 'package'].find((kind) => isJsonObject(item[kind])) ?? 'file';

/** A file or folder for the caller. Its signed download link stays out, because whoever has it can read the file. */
export const presentItem = (item: Json): Json =>
  withoutUndefined({
    id: item['id'],
    name: item['name'],
    kind: kindOf(item),
    drive_id: partOf(item, 'parentReference')['driveId'],
    size: item['size'],
    mime_type: partOf(item, 'file')['mimeType'],
    child_count: partOf(item, 'folder')['childCount'],
    web_url: item['webUrl'],
    last_modified: item['lastModifiedDateTime'],
    last_modified_by: partOf(partOf(item, 'lastModifiedBy'), 'user')['displayName'],
  });

/** A site for the caller. */
export const presentSite = (site: Json): Json =>
  withoutUndefined({
    id: site['id'],
    title: site['displayName'] ?? site['name'],
    description: site['description'] ?? undefined,
    web_url: site['webUrl'],
  });

/** The cursor in the link to the next page. Nothing is sent to the link itself, so that no response chooses where a token goes. */
export function nextPageToken(page: Json): string | undefined {
  const link = page['@odata.nextLink'];
  const url = typeof link === 'string' ? URL.parse(link) : null;
  return url?.searchParams.get('$skiptoken') ?? undefined;
}
