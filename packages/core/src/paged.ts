import { assert } from './errors.js';
import type { CallOptions, Limit } from './tool.js';

/** Page of a list, with the input that requests the next page. */
export interface LinkedPage {
  readonly data: unknown;
  /** Fields that replace fields of the input to request the next page. Absent on the last page. */
  readonly nextInput?: object | undefined;
}

/** Data of a page, which is not validated at run time. */
type Data = { readonly [name: string]: unknown } | undefined;

/**
 * Creates iterators over the pages of a call and over the items of all pages. `itemsPath` is the path to the items in
 * a page, such as `body/items`.
 */
export function paged<Input, Page extends LinkedPage, Item>(
  fetchPage: (input: Input, options?: CallOptions) => Promise<Page>,
  itemsPath: string,
) {
  async function* pages(input: Input, options: CallOptions = {}): AsyncGenerator<Page, void> {
    const seen = new Set<string>();
    let pageInput = input;
    let pageOptions = options;
    for (;;) {
      const page = await fetchPage(pageInput, pageOptions);
      yield page;
      if (!page.nextInput) return;
      const next = JSON.stringify(page.nextInput);
      assert(
        !seen.has(next),
        'repeated_page_token',
        'The upstream repeated a page token, so the pages would never end. Start again without a page token.',
      );
      // Bounds the memory of endless lists, such as events that a program waits for.
      if (seen.size > 999) seen.clear();
      seen.add(next);
      pageInput = { ...input, ...page.nextInput };
      // Removes the idempotency key for the next page, because a repeated key would return the first page again.
      pageOptions = { ...options, idempotencyKey: undefined };
    }
  }

  async function* each(
    input: Input,
    { limit = Infinity, ...options }: CallOptions & Limit = {},
  ): AsyncGenerator<Item, void> {
    let remaining = limit;
    // Yields no items for a `limit` of 0, a negative `limit` or NaN.
    if (!(remaining > 0)) return;
    for await (const { data } of pages(input, options)) {
      for (const item of itemsOf<Item>(data, itemsPath)) {
        yield item;
        remaining -= 1;
        if (remaining <= 0) return;
      }
    }
  }

  return { pages, each };
}

/** Returns the items of a page. Empty if the upstream omits the list of items. */
function itemsOf<Item>(data: unknown, itemsPath: string): readonly Item[] {
  let part = data as Data;
  for (const name of itemsPath.split('/')) part = part?.[name] as Data;
  return (part ?? []) as readonly Item[];
}
