import { ApiError, invalidRequest } from './api-error.js';
import { type Call, type Endpoint, list, type Outcome, READ_FILES } from './call.js';
import { findLibrary, pathOf } from './item-endpoints.js';
import { present } from './items.js';
import { listPage } from './odata.js';
import { namesOf, type SiteRecord } from './state.js';

/**
 * Lists all changes since a token, or all items without a token. The last page contains a delta link for the next sync.
 */
function delta(call: Call, library: string): Outcome {
  const site = findLibrary(call.state, library);
  const token = call.query.get('token');
  const since = token === null ? 0 : readToken(token, site);
  // Changes that happen while the client reads the pages belong to the next sync.
  const upTo = readUpTo(call.query.get(UP_TO), site);
  const ids = [...new Set([...(token === null ? [site.root.id] : []), ...site.changes.slice(since, upTo)])];
  const values =
    token === 'latest' ? [] : ids.flatMap((id) => changeOf(call, site, { id, isFirst: token === null }));
  const context = call.context('Collection(driveItem)');
  const query = new URLSearchParams(call.query);
  query.set(UP_TO, String(upTo));
  const page = listPage(values, { query, url: call.url, context });
  if ('@odata.nextLink' in page) return { status: 200, body: page };
  const { value, ...rest } = page;
  const link = `${call.url}?token=${Buffer.from(`from=${upTo}`).toString('base64url')}`;
  return { status: 200, body: { ...rest, '@odata.deltaLink': link, value } };
}

/** Query parameter with the number of the last change in a sync. All pages of a sync share it. */
const UP_TO = 'upto';

function readUpTo(text: string | null, { changes }: SiteRecord): number {
  if (text === null) return changes.length;
  if (!/^\d+$/.test(text) || Number(text) > changes.length) throw invalidRequest('The link is not valid.');
  return Number(text);
}

function readToken(token: string, { changes }: SiteRecord): number {
  if (token === 'latest') return changes.length;
  const from = /^from=(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8'))?.[1];
  if (from === undefined || Number(from) > changes.length)
    throw new ApiError(410, 'resyncRequired', 'The token is no longer valid. Start again without one.');
  return Number(from);
}

function changeOf(
  call: Call,
  site: SiteRecord,
  { id, isFirst }: { readonly id: string; readonly isFirst: boolean },
) {
  const item = site.items.get(id);
  if (item !== undefined) return [present(call, site, item)];
  return isFirst ? [] : [{ id, deleted: { state: 'deleted' } }];
}

function search(call: Call, library: string, quoted: string): Outcome {
  const site = findLibrary(call.state, library);
  const words = decodeURIComponent(quoted).replaceAll("''", "'").toLowerCase();
  if (words === '') throw invalidRequest('The search text is empty.');
  const matches = [...site.items.values()].filter(
    (item) => item.parent !== undefined && namesOf(item).at(-1)?.toLowerCase().includes(words),
  );
  const values = matches.map((item) => present(call, site, item));
  return list(call, 'Collection(driveItem)', values);
}

const common = { verb: 'GET', scopes: READ_FILES, options: ['$top', '$select', '$skiptoken'] } as const;

export const followEndpoints: readonly Endpoint[] = [
  {
    ...common,
    path: pathOf(String.raw`\/root\/delta(?:\(\))?`),
    handle: (call, library = '') => delta(call, library),
  },
  {
    ...common,
    path: pathOf(String.raw`\/root\/search\(q='([^/]*)'\)`),
    handle: (call, library = '', text = '') => search(call, library, text),
  },
];
