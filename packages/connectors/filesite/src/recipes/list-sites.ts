import type { CallOptions } from '@svc/core';
import type { Requests } from './requests.js';
import type { Site } from './resources.js';

/** Options of `listSites`. */
export interface ListSitesOptions extends CallOptions {
  /** Words to search for. Default: lists every site that the user follows or the search index contains. */
  search?: string | undefined;
}

/**
 * Lists sites. Without a search, combines followed sites with search results, because the search lacks new sites and
 * the other list lacks unfollowed ones.
 */
export async function listSites(
  { send }: Requests,
  { search, ...options }: ListSitesOptions = {},
): Promise<Site[]> {
  const searchPath = `/v1.0/sites?search=${encodeURIComponent(search ?? '*')}`;
  const starts = search === undefined ? ['/v1.0/me/followedSites', searchPath] : [searchPath];
  const lists = await Promise.all(starts.map((path) => readPages<Site>({ send }, path, options)));
  return [...new Map(lists.flat().map((site) => [site.id, site])).values()];
}

interface Page<Item> {
  value: Item[];
  '@odata.nextLink'?: string;
}

async function readPages<Item>(
  { send }: Pick<Requests, 'send'>,
  start: string,
  options: CallOptions,
): Promise<Item[]> {
  const items: Item[] = [];
  const read = new Set<string>();
  for (let path: string | undefined = start; path !== undefined && !read.has(path); ) {
    read.add(path);
    const page: Page<Item> = await send<Page<Item>>({ method: 'GET', path }, options);
    items.push(...page.value);
    path = nextPath(page['@odata.nextLink']);
  }
  return items;
}

// Returns only the path of the upstream's next link. The request goes to the connection's own host, so no token
// reaches another host.
function nextPath(link: string | undefined): string | undefined {
  const start = link?.indexOf('/v1.0/') ?? -1;
  return start === -1 ? undefined : link?.slice(start);
}
