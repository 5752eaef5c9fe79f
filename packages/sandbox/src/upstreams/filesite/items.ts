import { invalidRequest, resourceModified } from './api-error.js';
import { type Call, type Endpoint, entity, list, type Outcome, READ_FILES } from './call.js';
import { endpointsOfItem, type ItemHandler } from './item-endpoints.js';
import { expand, sorted } from './odata.js';
import { presentItem } from './present.js';
import { childrenOf, cTagOf, eTagOf, type ItemRecord, type SiteRecord } from './state.js';

function metadata(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  const known = call.header('if-none-match');
  return known !== undefined && namesTag(known, item) ? { status: 304 } : itemBody(call, site, item);
}

export const present = (call: Call, site: SiteRecord, item: ItemRecord) =>
  presentItem(site, item, { person: call.state.person, links: call.links });

const SORTED_BY = ['name', 'size', 'createdDateTime', 'lastModifiedDateTime'];

export function itemBody(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  const makers = {
    children: () => childrenOf(site, item).map((child) => present(call, site, child)),
    thumbnails: () => [],
  };
  const fragment = `sites('${encodeURIComponent(site.id)}')/drive/root/$entity`;
  const presented = { ...present(call, site, item), ...expand(call.query, makers) };
  return { ...entity(call, fragment, presented), headers: { etag: eTagOf(item) } };
}

function children(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  if (item.content !== undefined) throw invalidRequest('A file has no children.');
  const presented = childrenOf(site, item).map((child) => present(call, site, child));
  const added = expand(call.query, { thumbnails: () => [] });
  const values = sorted(presented, call.query, SORTED_BY).map((one) => ({ ...one, ...added }));
  return list(call, `sites('${encodeURIComponent(site.id)}')/drive/root/children`, values);
}

function content(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  if (item.content === undefined) throw invalidRequest('A folder has no content.');
  return { status: 302, headers: { location: call.links.to(call.state.person.id, site, item) } };
}

const reading = (handle: ItemHandler, ending: string, options: readonly string[]): readonly Endpoint[] =>
  endpointsOfItem(handle, ending, { verb: 'GET', scopes: READ_FILES, options });

export const itemEndpoints: readonly Endpoint[] = [
  ...reading(metadata, '', ['$select', '$expand']),
  ...reading(children, '\\/children', ['$top', '$select', '$skiptoken', '$orderby', '$expand']),
  ...reading(content, '\\/content', []),
];

function namesTag(header: string, item: ItemRecord): boolean {
  if (header.trim() === '*') return true;
  const tags = header.split(/,(?=\s*(?:W\/)?")/).map((tag) => tag.trim());
  return tags.includes(eTagOf(item)) || tags.includes(cTagOf(item));
}

/** Checks the If-Match header: throws unless the item exists and still has the caller's eTag or cTag. */
export function checkIfMatch(call: Call, item: ItemRecord | undefined): void {
  const wanted = call.header('if-match');
  if (wanted !== undefined && (item === undefined || !namesTag(wanted, item))) throw resourceModified();
}
