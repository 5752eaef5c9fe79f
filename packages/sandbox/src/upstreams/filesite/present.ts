import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';
import type { Links } from './links.js';
import { childrenOf, cTagOf, eTagOf, HOSTNAME, type ItemRecord, namesOf, type SiteRecord } from './state.js';

type Json = Readonly<Record<string, unknown>>;

const time = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`;
const encoded = (names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name)}`).join('');
const siteUrl = ({ path }: SiteRecord): string => `https://${HOSTNAME}${path}`;

export function presentSite(site: SiteRecord): Json {
  const isRoot = site.path === '';
  return {
    createdDateTime: time(site.created),
    description: site.description,
    id: site.id,
    lastModifiedDateTime: time(site.created),
    name: site.path.split('/').at(-1) ?? '',
    webUrl: siteUrl(site),
    displayName: site.displayName,
    ...(isRoot ? { root: {} } : {}),
    siteCollection: { hostname: HOSTNAME, ...(isRoot ? { root: {} } : {}) },
  };
}

const QUOTA_BYTES = 1024 ** 4;
const driveTypeOf = ({ isPersonal }: SiteRecord) => (isPersonal === true ? 'business' : 'documentLibrary');
const folderOf = ({ isPersonal }: SiteRecord) => (isPersonal === true ? 'Documents' : 'Shared%20Documents');

export function presentDrive(site: SiteRecord, person: Person): Json {
  return {
    createdDateTime: time(site.created),
    id: site.driveId,
    name: site.isPersonal === true ? 'OneDrive' : 'Documents',
    webUrl: `${siteUrl(site)}/${folderOf(site)}`,
    driveType: driveTypeOf(site),
    createdBy: by(person),
    owner: by(person),
    quota: { deleted: 0, remaining: QUOTA_BYTES, state: 'normal', total: QUOTA_BYTES, used: 0 },
  };
}

export function presentList(site: SiteRecord): Json {
  return {
    createdDateTime: time(site.created),
    id: uuidFrom(`list of ${site.id}`),
    name: 'Shared Documents',
    displayName: 'Documents',
    webUrl: `${siteUrl(site)}/Shared%20Documents`,
    list: { contentTypesEnabled: false, hidden: false, template: 'documentLibrary' },
  };
}

function by({ id, name, email }: Person): Json {
  return { user: { email, id: uuidFrom(id), displayName: name } };
}

interface Presenting {
  readonly person: Person;
  readonly links: Links;
}

export function presentItem(site: SiteRecord, item: ItemRecord, { person, links }: Presenting): Json {
  const names = namesOf(item);
  const { content, parent } = item;
  return {
    ...(content === undefined ? {} : { '@microsoft.graph.downloadUrl': links.to(person.id, site, item) }),
    createdDateTime: time(item.created),
    eTag: eTagOf(item),
    id: item.id,
    lastModifiedDateTime: time(item.modified),
    name: item.name,
    webUrl: `${siteUrl(site)}/${folderOf(site)}${encoded(names)}`,
    cTag: cTagOf(item),
    size: sizeOf(site, item),
    createdBy: by(person),
    lastModifiedBy: by(person),
    parentReference: parentReference(site, item),
    fileSystemInfo: { createdDateTime: time(item.created), lastModifiedDateTime: time(item.modified) },
    ...(item.description === undefined ? {} : { description: item.description }),
    ...(parent === undefined ? { root: {} } : {}),
    ...(content === undefined
      ? { folder: { childCount: childrenOf(site, item).length } }
      : { file: { mimeType: item.mimeType } }),
  };
}

function sizeOf(site: SiteRecord, item: ItemRecord): number {
  if (item.content !== undefined) return item.content.length;
  return childrenOf(site, item).reduce((sum, child) => sum + sizeOf(site, child), 0);
}

function parentReference(site: SiteRecord, { parent }: ItemRecord): Json {
  const { driveId, id: siteId } = site;
  const drive = { driveType: driveTypeOf(site), driveId, siteId };
  if (parent === undefined) return drive;
  return {
    ...drive,
    id: parent.id,
    name: parent.name,
    path: `/drives/${driveId}/root:${encoded(namesOf(parent))}`,
  };
}
