import type { Page, PageRequest } from '../page.js';

const PAGE_SIZE = 200;

/** Reads all pages of a paginated list and returns their items. */
export async function everyPage<Item>(list: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let pageToken: string | undefined;
  do {
    const page = await list({ pageSize: PAGE_SIZE, pageToken });
    items.push(...page.items);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return items;
}
