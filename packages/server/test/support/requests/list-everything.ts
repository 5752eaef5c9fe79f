import type { Reply } from '../service/application.js';

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken?: string;
}

/** Returns every item of a paginated list. */
export async function listEverything<Item>(
  get: (path: string) => Promise<Reply>,
  path: string,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let token: string | undefined = '';
  while (token !== undefined) {
    const query: string = token === '' ? '' : `${path.includes('?') ? '&' : '?'}pageToken=${token}`;
    const page: ListPage<Item> = (await get(path + query)).json();
    items.push(...page.items);
    token = page.nextPageToken;
  }
  return items;
}
