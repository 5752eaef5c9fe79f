import { isJsonObject } from '@svc/catalog';
import { type Json, withoutUndefined } from '../json.js';

const partOf = (object: Json, name: string): Json => {
  const part = object[name];
  return isJsonObject(part) ? part : {};
};

const kindOf = (item: Json): string =>
  ['folder', 'package'].find((kind) => isJsonObject(item[kind])) ?? 'file';

/**
 * Converts the upstream's metadata of a file or folder to the tool result. The signed download link is omitted, because
 * anyone who has the link can read the file.
 */
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

/** Converts a site of the upstream to the form of the tool result. A site contains document libraries. */
export const presentSite = (site: Json): Json =>
  withoutUndefined({
    id: site['id'],
    title: site['displayName'] ?? site['name'],
    description: site['description'] ?? undefined,
    web_url: site['webUrl'],
  });

/**
 * Extracts the page token from the link to the next page in an upstream response. The service never calls the link
 * itself, because a response must not choose the host that receives the token.
 */
export function nextPageToken(page: Json): string | undefined {
  const link = page['@odata.nextLink'];
  const url = typeof link === 'string' ? URL.parse(link) : null;
  return url?.searchParams.get('$skiptoken') ?? undefined;
}
