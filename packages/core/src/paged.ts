import { assert } from './errors.js';
import type { CallOptions, Limit } from './tool.js';

/** A page of a list, with the input of the next one. */
export interface LinkedPage {
  readonly data: unknown;
  /** Replaces fields of the input. Absent on the last page. */
  readonly nextInput?: object | undefined;
}

/** Data of a response, which is not validated at run time. */
type Data = { readonly [name: string]: unknown } | undefined;

/**
 * Iterates over the pages of a call, and over the items of all pages. `itemsPath` is the path of names to the items of a
 * page, such as `body/items`.
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
      assert(!seen.has(next), 'repeated_page_token', 'Paging in a circle');
      seen.add(next);
      pageInput = { ...input, ...page.nextInput };
      // The next page is another call. One key for both would give the first page again.
      pageOptions = { ...options, idempotencyKey: undefined };
    }
  }

  async function* each(
    input: Input,
    { limit = Infinity, ...options }: CallOptions & Limit = {},
  ): AsyncGenerator<Item, void> {
    let remaining = limit;
    // NaN gives no items either.
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

/** The items of a page. An upstream that leaves them out has none. */
function itemsOf<Item>(data: unknown, itemsPath: string): readonly Item[] {
  let part = data as Data;
  for (const name of itemsPath.split('/')) part = part?.[name] as Data;
  return (part ?? []) as readonly Item[];
}
