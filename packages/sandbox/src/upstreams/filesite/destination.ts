import { invalidRequest, itemNotFound, nameAlreadyExists, quotaLimitReached } from './api-error.js';
import { freeName } from './item-name.js';
import { addItem, childByName, type ItemRecord, itemAt, type SiteRecord } from './state.js';

export type ConflictBehavior = 'fail' | 'rename' | 'replace';

export interface Destination {
  readonly site: SiteRecord;
  readonly parent: ItemRecord;
  readonly name: string;
  readonly behavior: ConflictBehavior;
}

export const CONFLICT_OPTION = '@microsoft.graph.conflictBehavior';

export function readBehavior(value: unknown, fallback: ConflictBehavior): ConflictBehavior {
  if (value === undefined || value === null) return fallback;
  if (value === 'fail' || value === 'rename' || value === 'replace') return value;
  throw invalidRequest(`${CONFLICT_OPTION} has to be fail, rename or replace.`);
}

export function splitPath(
  site: SiteRecord,
  names: readonly string[],
  from?: ItemRecord,
): Pick<Destination, 'parent' | 'name'> {
  const parent = itemAt(site, names.slice(0, -1), from);
  const name = names.at(-1);
  if (name === undefined) throw itemNotFound();
  if (parent === undefined) throw nameAlreadyExists('The parent folder does not exist.');
  return { parent, name };
}

export function checkDestination({ site, parent, name, behavior }: Destination): void {
  if (parent.content !== undefined) throw nameAlreadyExists('The parent is not a folder.');
  const existing = childByName(site, parent, name);
  if (existing === undefined || behavior === 'rename') return;
  if (behavior === 'fail' || existing.content === undefined)
    throw nameAlreadyExists('An item with the same name already exists.');
}

const QUOTA_BYTES = 1024 ** 4;

export function checkQuota({ items }: SiteRecord, bytes: number): void {
  const used = [...items.values()].reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  if (used + bytes > QUOTA_BYTES) throw quotaLimitReached();
}

export interface StoredFile {
  readonly item: ItemRecord;
  readonly isNew: boolean;
}

/**
 * Writes a file. The conflict behavior decides whether an existing file gets a new version or the new file gets a
 * numbered name.
 */
export function storeFile(
  destination: Destination,
  { content, mimeType, now }: { content: Buffer; mimeType: string; now: number },
): StoredFile {
  checkDestination(destination);
  checkQuota(destination.site, content.length);
  const { site, parent, name, behavior } = destination;
  const existing = childByName(site, parent, name);
  if (existing !== undefined && behavior === 'replace') {
    Object.assign(existing, { content, mimeType, modified: now, version: existing.version + 1 });
    site.changes.push(existing.id);
    return { item: existing, isNew: false };
  }
  const isTaken = (candidate: string) => childByName(site, parent, candidate) !== undefined;
  const free = existing === undefined ? name : freeName(name, isTaken);
  return { item: addItem(site, { name: free, parent, now, content, mimeType }), isNew: true };
}
