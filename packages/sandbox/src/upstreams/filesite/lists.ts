import { itemNotFound } from './api-error.js';
import { type Call, type Endpoint, entity, list, type Outcome, READ_SITES } from './call.js';
import { present } from './items.js';
import { expand } from './odata.js';
import { presentList } from './present.js';
import { findSite, type ItemRecord, type SiteRecord } from './state.js';

function findListSite(call: Call, siteId: string, idOrName: string): SiteRecord {
  const site = findSite(call.state, siteId);
  const { id, displayName, name } = presentList(site);
  if (![id, displayName, name].includes(decodeURIComponent(idOrName))) throw itemNotFound();
  return site;
}

function listItems(call: Call, site: SiteRecord): Outcome {
  const items = [...site.items.values()].filter(({ parent }) => parent !== undefined);
  const values = items.map((item, index) => presentListItem(call, site, { item, number: index + 1 }));
  return list(call, `sites('${encodeURIComponent(site.id)}')/lists/items`, values);
}

interface Row {
  readonly item: ItemRecord;
  readonly number: number;
}

function presentListItem(call: Call, site: SiteRecord, { item, number }: Row) {
  const presented = present(call, site, item);
  const { createdDateTime, eTag, lastModifiedDateTime, webUrl, createdBy, lastModifiedBy } = presented;
  const isFolder = item.content === undefined;
  const fields = {
    '@odata.etag': eTag,
    id: String(number),
    FileLeafRef: item.name,
    ContentType: isFolder ? 'Folder' : 'Document',
    Created: createdDateTime,
    Modified: lastModifiedDateTime,
    ...(isFolder ? {} : { FileSizeDisplay: String(presented.size) }),
  };
  return {
    '@odata.etag': eTag,
    createdDateTime,
    eTag,
    id: String(number),
    lastModifiedDateTime,
    webUrl,
    createdBy,
    lastModifiedBy,
    parentReference: { siteId: site.id },
    contentType: { id: isFolder ? '0x0120' : '0x0101', name: fields.ContentType },
    ...expand(call.query, { fields: () => fields, driveItem: () => presented }),
  };
}

const COLUMNS = [
  ['FileLeafRef', 'Name', 'text'],
  ['Created', 'Created', 'dateTime'],
  ['Modified', 'Modified', 'dateTime'],
  ['FileSizeDisplay', 'File Size', 'number'],
] as const;

function listColumns(call: Call, site: SiteRecord): Outcome {
  const value = COLUMNS.map(([name, displayName, type]) => ({
    columnGroup: 'Custom Columns',
    description: '',
    displayName,
    enforceUniqueValues: false,
    hidden: false,
    id: Buffer.from(name).toString('hex'),
    indexed: false,
    name,
    readOnly: name !== 'FileLeafRef',
    required: false,
    [type]: {},
  }));
  const context = call.context(`sites('${encodeURIComponent(site.id)}')/lists/columns`);
  return { status: 200, body: { '@odata.context': context, value } };
}

const endpoint = (
  path: RegExp,
  options: readonly string[],
  of: (call: Call, site: SiteRecord) => Outcome,
): Endpoint => ({
  verb: 'GET',
  path,
  scopes: READ_SITES,
  options,
  handle: (call, siteId = '', idOrName = '') => of(call, findListSite(call, siteId, idOrName)),
});

export const listEndpoints: readonly Endpoint[] = [
  endpoint(/^\/sites\/([^/:]+)\/lists\/([^/:]+)$/, ['$select'], (call, site) =>
    entity(call, 'lists/$entity', presentList(site)),
  ),
  endpoint(
    /^\/sites\/([^/:]+)\/lists\/([^/:]+)\/items$/,
    ['$top', '$select', '$skiptoken', '$expand'],
    listItems,
  ),
  endpoint(/^\/sites\/([^/:]+)\/lists\/([^/:]+)\/columns$/, ['$select'], listColumns),
];
