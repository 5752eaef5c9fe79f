import { invalidRequest } from './api-error.js';
import { readNames } from './item-name.js';
import { findItem, findItemAt, type ItemRecord, type SiteRecord } from './state.js';

type Reference = Readonly<Record<string, unknown>>;

const PATH = /^\/(?:drive|drives\/[^/]+)\/root(?::(?:\/(.+))?)?$/;

function atPath(site: SiteRecord, path: string): ItemRecord {
  const [whole, names] = PATH.exec(path) ?? [];
  if (whole === undefined) throw invalidRequest('The path of the parentReference is not valid.');
  return names === undefined ? site.root : findItemAt(site, readNames(names));
}

/** The folder that a reference names by its id or its path; the fallback where it names none. */
export function folderOf(site: SiteRecord, { id, path }: Reference, fallback: ItemRecord): ItemRecord {
  const byPath = typeof path === 'string' ? atPath(site, path) : fallback;
  const folder = id === undefined ? byPath : findItem(site, String(id));
  if (folder.content !== undefined) throw invalidRequest('The parent is not a folder.');
  return folder;
}

/** Refuses a reference to another library: items are copied there, not moved. */
export function assertSameDrive({ driveId }: SiteRecord, reference: Reference): void {
  if (reference.driveId !== undefined && reference.driveId !== driveId)
    throw invalidRequest('Items cannot be moved between drives.');
}

/** Refuses a place within the item itself. */
export function assertOutside(item: ItemRecord, parent: ItemRecord): void {
  for (let one: ItemRecord | undefined = parent; one !== undefined; one = one.parent)
    if (one === item) throw invalidRequest('An item can be neither moved nor copied into itself.');
}
