import { invalidRequest } from './api-error.js';
import type { Call, Endpoint, Outcome } from './call.js';
import { readNames } from './item-name.js';
import { findLibrary, LIBRARY } from './library.js';
import { listPage, select } from './odata.js';
import { presentItem } from './present.js';
import { READ_FILES } from './scopes.js';
import { childrenOf, eTagOf, findItem, findItemAt, type ItemRecord, type SiteRecord } from './state.js';

/** A path expression below a library; a colon ends the path of the item. */
export const pathOf = (rest: string): RegExp => new RegExp(`${LIBRARY}${rest}$`);

export const ITEM_PATH = String.raw`\/root:\/([^:]+)`;

function metadata(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  return call.header('if-none-match') === eTagOf(item) ? { status: 304 } : itemBody(call, site, item);
}

/** An item as it is answered. */
export function itemBody(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  const eTag = eTagOf(item);
  const presented = presentItem(site, item, { person: call.state.person, links: call.links });
  const fragment = `sites('${encodeURIComponent(site.id)}')/drive/root/$entity`;
  return {
    status: 200,
    body: { '@odata.context': call.context(fragment), ...select(presented, call.query) },
    headers: { etag: eTag },
  };
}

function children(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  if (item.content !== undefined) throw invalidRequest('A file has no children.');
  const values = childrenOf(site, item).map((child) =>
    presentItem(site, child, { person: call.state.person, links: call.links }),
  );
  const context = call.context(`sites('${encodeURIComponent(site.id)}')/drive/root/children`);
  return { status: 200, body: listPage(values, { query: call.query, url: call.url, context }) };
}

function content(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  if (item.content === undefined) throw invalidRequest('A folder has no content.');
  return { status: 302, headers: { location: call.links.to(call.state.person.id, site, item) } };
}

type Read = (call: Call, site: SiteRecord, item: ItemRecord) => Outcome;

/** The three ways to name an item: the root, a path, an id. `ending` follows the last two differently. */
function reading(read: Read, ending: string, options: readonly string[]): readonly Endpoint[] {
  const common = { verb: 'GET', scopes: READ_FILES, options } as const;
  const atPath = ending === '' ? ':?' : `:${ending}`;
  return [
    {
      ...common,
      path: pathOf(`\\/root${ending}`),
      handle(call, library = '') {
        const site = findLibrary(call.state, library);
        return read(call, site, site.root);
      },
    },
    {
      ...common,
      path: pathOf(ITEM_PATH + atPath),
      handle(call, library = '', path = '') {
        const site = findLibrary(call.state, library);
        return read(call, site, findItemAt(site, readNames(path)));
      },
    },
    {
      ...common,
      path: pathOf(`\\/items\\/([^/:]+)${ending}`),
      handle(call, library = '', id = '') {
        const site = findLibrary(call.state, library);
        return read(call, site, findItem(site, id));
      },
    },
  ];
}

export const itemEndpoints: readonly Endpoint[] = [
  ...reading(metadata, '', ['$select']),
  ...reading(children, '\\/children', ['$top', '$select', '$skiptoken']),
  ...reading(content, '\\/content', []),
];
