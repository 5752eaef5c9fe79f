import { createHash, randomUUID } from 'node:crypto';
import type { Person } from '../../person.js';
import { existing } from '../../refusal.js';
import { itemNotFound } from './api-error.js';
import { isSameName } from './item-name.js';

export interface ItemRecord {
  readonly id: string;
  name: string;
  /** Parent folder. Undefined for the root folder. */
  parent: ItemRecord | undefined;
  description?: string;
  /** File content. Undefined for a folder. */
  content: Buffer | undefined;
  mimeType: string;
  readonly created: number;
  modified: number;
  version: number;
  links?: readonly { readonly type: string; readonly scope: string }[];
}

export interface SiteRecord {
  /** Site id in the format `host,siteCollectionGuid,webGuid`. */
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  /** Server-relative path. Empty for the root site. */
  readonly path: string;
  readonly created: number;
  readonly isFollowed: boolean;
  /** True if search finds the site. New sites are not indexed immediately. */
  readonly isIndexed: boolean;
  readonly isPersonal?: boolean;
  readonly driveId: string;
  readonly root: ItemRecord;
  readonly items: Map<string, ItemRecord>;
  /** Ids of changed items in the order of the changes, for delta queries. */
  readonly changes: string[];
}

export interface FilesiteState {
  readonly person: Person;
  readonly sites: Map<string, SiteRecord>;
}

export const HOSTNAME = 'contoso.sharepoint.com';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function itemId(seed: string = randomUUID()): string {
  const bytes = createHash('sha256').update(seed).digest();
  return `01${[...bytes].map((byte) => BASE32[byte % 32]).join('')}`;
}

export function addItem(
  { items, changes }: SiteRecord,
  item: { id?: string; name: string; parent: ItemRecord; now: number; content?: Buffer; mimeType?: string },
): ItemRecord {
  const { id = itemId(), name, parent, now, content, mimeType = 'application/octet-stream' } = item;
  const record = { id, name, parent, content, mimeType, created: now, modified: now, version: 1 };
  items.set(id, record);
  changes.push(id);
  return record;
}

export function childrenOf({ items }: SiteRecord, parent: ItemRecord): ItemRecord[] {
  return [...items.values()].filter((item) => item.parent === parent);
}

export function childByName(site: SiteRecord, parent: ItemRecord, name: string): ItemRecord | undefined {
  return childrenOf(site, parent).find((item) => isSameName(item.name, name));
}

export function itemAt(
  site: SiteRecord,
  names: readonly string[],
  from: ItemRecord = site.root,
): ItemRecord | undefined {
  return names.reduce<ItemRecord | undefined>(
    (parent, name) => (parent === undefined ? undefined : childByName(site, parent, name)),
    from,
  );
}

export function findSite({ sites }: FilesiteState, id: string): SiteRecord {
  const isRoot = id === 'root' || id.toLowerCase() === HOSTNAME;
  return existing(isRoot ? rootSite(sites) : sites.get(decodeURIComponent(id)), itemNotFound);
}

function rootSite(sites: FilesiteState['sites']): SiteRecord | undefined {
  return [...sites.values()].find(({ path }) => path === '');
}

/** Finds an item by its id. The root folder also has the id `root`. */
export const findItem = ({ items, root }: SiteRecord, id: string): ItemRecord =>
  existing(id === 'root' ? root : items.get(id), itemNotFound);

export const findItemAt = (site: SiteRecord, names: readonly string[], from?: ItemRecord): ItemRecord =>
  existing(itemAt(site, names, from), itemNotFound);

export function namesOf({ name, parent }: ItemRecord): string[] {
  return parent === undefined ? [] : [...namesOf(parent), name];
}

export const eTagOf = ({ id, version }: ItemRecord): string => `"{${id}},${version}"`;

export const cTagOf = ({ id, version }: ItemRecord): string => `"c:{${id}},${version}"`;
