import { invalidField } from '../../../errors.js';

/**
 * Location of a file or folder in a document library, by id or by path. Without id and path, the location is the top
 * folder of the library.
 */
export interface Location {
  readonly siteId?: string | undefined;
  readonly driveId?: string | undefined;
  readonly itemId?: string | undefined;
  /** Id of a folder, instead of `itemId`. */
  readonly folderId?: string | undefined;
  readonly path?: string | undefined;
}

const FORBIDDEN = /[\\*<>?:|;"\p{Cc}]/u;

/**
 * Throws invalid_input for a file or folder name that the upstream refuses, or that could lead out of the document
 * library (`..`).
 */
function checkName(name: string, field: string): void {
  if (['', '.', '..'].includes(name))
    throw invalidField(field, 'name', 'needs names between its slashes: no empty name, "." or "..".');
  if (FORBIDDEN.test(name) || name.startsWith('~') || name.trim() !== name || !name.isWellFormed())
    throw invalidField(
      field,
      'name',
      'has a name that is not allowed. Remove \\ * < > ? : | ; " and control characters, "~" at its beginning, and spaces at its ends.',
    );
}

/**
 * Throws invalid_input if the name of a folder contains a slash or other characters that the document library refuses.
 */
export function checkFolderName(name: string): void {
  if (name.includes('/')) throw invalidField('name', 'name', 'must be one name without slashes.');
  checkName(name, 'name');
}

const encodePath = (path: string): string => {
  const names = path.replace(/^\//, '').split('/');
  for (const name of names) checkName(name, 'path');
  return names.map(encodeURIComponent).join('/');
};

function encodeId(id: string, field: string): string {
  if (/^[\w!.-]+$/.test(id) && !/^\.+$/.test(id)) return id;
  throw invalidField(field, 'id', 'is not a valid id; send the id exactly as another tool returned it.');
}

const libraryOf = ({ siteId = 'root', driveId }: Location): string =>
  driveId === undefined ? `/v1.0/sites/${siteId}/drive` : `/v1.0/drives/${encodeId(driveId, 'drive_id')}`;

function itemOf({ itemId, folderId }: Location): string {
  if (folderId !== undefined) return `items/${encodeId(folderId, 'folder_id')}`;
  return itemId === undefined ? 'root' : `items/${encodeId(itemId, 'item_id')}`;
}

/** API path of a file or folder. `part` selects a subresource, such as `children` or `content`. */
export function itemPath(location: Location, part?: string): string {
  const { path } = location;
  const suffix = part === undefined ? '' : `/${part}`;
  const whole = `${libraryOf(location)}/${itemOf(location)}`;
  if (path === undefined) return whole + suffix;
  const end = suffix === '' ? '' : `:${suffix}`;
  return `${whole}:/${encodePath(path)}${end}`;
}
