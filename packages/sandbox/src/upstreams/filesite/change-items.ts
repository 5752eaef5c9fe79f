import { isObject } from '../../json.js';
import { invalidRequest, nameAlreadyExists } from './api-error.js';
import { type Call, type Endpoint, type Outcome, WRITE_FILES } from './call.js';
import { CONFLICT_OPTION, type ConflictBehavior, readBehavior } from './destination.js';
import { endpointsOfItem, findLibrary, type ItemHandler } from './item-endpoints.js';
import { freeName, readFolderName, readName, readNames } from './item-name.js';
import { checkIfMatch, itemBody } from './items.js';
import {
  addItem,
  childByName,
  childrenOf,
  findItem,
  findItemAt,
  type ItemRecord,
  type SiteRecord,
} from './state.js';

function assertNotRoot({ parent }: ItemRecord): void {
  if (parent === undefined) throw invalidRequest('The root of a library can be neither changed nor deleted.');
}

const PATCHED = ['name', 'parentReference', 'description', 'fileSystemInfo', CONFLICT_OPTION];

function update(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  assertNotRoot(item);
  checkIfMatch(call, item);
  const body = call.json();
  const unknown = Object.keys(body).find((key) => !PATCHED.includes(key));
  if (unknown !== undefined) throw invalidRequest(`The property '${unknown}' cannot be changed.`);
  const read = item.content === undefined ? readFolderName : readName;
  const name = body.name === undefined ? item.name : read(encodeURIComponent(String(body.name)));
  const parent = isObject(body.parentReference) ? newParent(site, item, body.parentReference) : item.parent;
  const taken = parent && childByName(site, parent, name);
  if (taken !== undefined && taken !== item)
    throw nameAlreadyExists('An item with the same name already exists.');
  Object.assign(item, { name, parent, modified: call.now, version: item.version + 1 });
  if (typeof body.description === 'string') item.description = body.description;
  site.changes.push(item.id);
  return itemBody(call, site, item);
}

function newParent(
  site: SiteRecord,
  item: ItemRecord,
  reference: Readonly<Record<string, unknown>>,
): ItemRecord {
  assertSameDrive(site, reference);
  const parent = folderOf(site, reference, item.parent ?? site.root);
  assertOutside(item, parent);
  return parent;
}

function remove(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  assertNotRoot(item);
  checkIfMatch(call, item);
  removeAll(site, item);
  return { status: 204 };
}

function removeAll(site: SiteRecord, item: ItemRecord): void {
  for (const child of childrenOf(site, item)) removeAll(site, child);
  site.items.delete(item.id);
  site.changes.push(item.id);
}

interface NameRequest {
  readonly wanted: string;
  readonly behavior: ConflictBehavior;
}

function nameIn(site: SiteRecord, parent: ItemRecord, { wanted, behavior }: NameRequest): string {
  const isTaken = (candidate: string) => childByName(site, parent, candidate) !== undefined;
  if (!isTaken(wanted)) return wanted;
  if (behavior !== 'rename') throw nameAlreadyExists('An item with the same name already exists.');
  return freeName(wanted, isTaken);
}

function createFolder(call: Call, site: SiteRecord, parent: ItemRecord): Outcome {
  if (parent.content !== undefined) throw invalidRequest('A file has no children.');
  const { name, folder, file, [CONFLICT_OPTION]: requested } = call.json();
  if (typeof name !== 'string' || (!isObject(folder) && !isObject(file)))
    throw invalidRequest('Give a name, and a folder or file.');
  const segment = encodeURIComponent(name);
  const wanted = isObject(folder) ? readFolderName(segment) : readName(segment);
  const behavior = readBehavior(requested, 'fail');
  const there = childByName(site, parent, wanted);
  // Creating a folder with `replace` keeps the existing folder and its content, because a folder is never replaced.
  const isReused = behavior === 'replace' && isObject(folder) && there?.content === undefined;
  if (there !== undefined && isReused) return itemBody(call, site, there);
  const free = nameIn(site, parent, { wanted, behavior });
  const content = isObject(file) ? { content: Buffer.alloc(0) } : {};
  const made = addItem(site, { name: free, parent, now: call.now, ...content });
  return { ...itemBody(call, site, made), status: 201 };
}

/**
 * Copies an item. The copy is finished immediately, but the response points to a progress URL, as in the real service.
 */
function copy(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  assertNotRoot(item);
  const { name, parentReference } = call.json();
  const target =
    isObject(parentReference) && typeof parentReference.driveId === 'string'
      ? findLibrary(call.state, `drives/${encodeURIComponent(parentReference.driveId)}`)
      : site;
  const parent = isObject(parentReference)
    ? folderOf(target, parentReference, target.root)
    : (item.parent ?? site.root);
  assertOutside(item, parent);
  const wanted = readName(encodeURIComponent(String(name ?? item.name)));
  const behavior = readBehavior(call.query.get(CONFLICT_OPTION), 'fail');
  const there = childByName(target, parent, wanted);
  const areFiles = there?.content !== undefined && item.content !== undefined;
  if (there !== undefined && there !== item && behavior === 'replace' && areFiles) removeAll(target, there);
  const free = nameIn(target, parent, { wanted, behavior });
  const made = copyAll(target, item, { name: free, parent, now: call.now, from: site });
  return { status: 202, headers: { location: call.monitors.open(made.id) } };
}

function copyAll(
  site: SiteRecord,
  item: ItemRecord,
  { name, parent, now, from }: { name: string; parent: ItemRecord; now: number; from: SiteRecord },
): ItemRecord {
  const { content, mimeType } = item;
  const children = childrenOf(from, item);
  const made = addItem(site, { name, parent, now, mimeType, ...(content === undefined ? {} : { content }) });
  for (const child of children) copyAll(site, child, { name: child.name, parent: made, now, from });
  return made;
}

const changing = (verb: Endpoint['verb'], ending: string, change: ItemHandler): readonly Endpoint[] =>
  endpointsOfItem(change, ending, { verb, scopes: WRITE_FILES });

export const changeEndpoints: readonly Endpoint[] = [
  ...changing('PATCH', '', update),
  ...changing('DELETE', '', remove),
  ...changing('POST', '\\/children', createFolder),
  ...changing('POST', '\\/copy', copy),
];

type Reference = Readonly<Record<string, unknown>>;

const PATH = /^\/(?:drive|drives\/[^/]+)\/root(?::(?:\/(.+))?)?$/;

function atPath(site: SiteRecord, path: string): ItemRecord {
  const [whole, names] = PATH.exec(path) ?? [];
  if (whole === undefined) throw invalidRequest('The path of the parentReference is not valid.');
  return names === undefined ? site.root : findItemAt(site, readNames(names));
}

function folderOf(site: SiteRecord, { id, path }: Reference, fallback: ItemRecord): ItemRecord {
  const byPath = typeof path === 'string' ? atPath(site, path) : fallback;
  const folder = id === undefined ? byPath : findItem(site, String(id));
  if (folder.content !== undefined) throw invalidRequest('The parent is not a folder.');
  return folder;
}

/** Rejects a parent in another document library, because items can be copied between libraries but not moved. */
function assertSameDrive({ driveId }: SiteRecord, reference: Reference): void {
  if (reference.driveId !== undefined && reference.driveId !== driveId)
    throw invalidRequest('Items cannot be moved between drives.');
}

function assertOutside(item: ItemRecord, parent: ItemRecord): void {
  for (let one: ItemRecord | undefined = parent; one !== undefined; one = one.parent)
    if (one === item) throw invalidRequest('An item can be neither moved nor copied into itself.');
}
