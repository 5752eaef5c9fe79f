import { demand } from './errors.js';
import type { CallOptions, Limit } from './tool.js';

/** A page that says how the next one is asked for. */
export interface LinkedPage {
  readonly data: unknown;
  readonly nextInput?: object | undefined;
}

/**
 * Turns a call that answers in pages into iterations: over the pages, and over the items of all pages, which stand at a place
 * in the data: a path of names, such as `body/items`.
 */
export function paged<Input, Page extends LinkedPage, Item>(
  fetchPage: (input: Input, options?: CallOptions) => Promise<Page>,
  items: string,
) {
  async function* pages(input: Input, { ...options }: CallOptions = {}): AsyncGenerator<Page, void> {
    const seen = new Set<string>();
    for (let page = input; ; ) {
      const result = await fetchPage(page, options);
      yield result;
      const next = JSON.stringify(result.nextInput);
      if (!next) return;
      demand(!seen.has(next), 'repeated_page_token', 'Paging in a circle');
      seen.add(next);
      page = { ...input, ...result.nextInput };
      // A key is one call's: the next page is another one.
      options.idempotencyKey = undefined;
    }
  }
  async function* each(
    input: Input,
    { limit = Infinity, ...options }: CallOptions & Limit = {},
  ): AsyncGenerator<Item, void> {
    const names = items.split('/');
    if (limit > 0)
      // Answers are not checked at run time. An upstream that leaves the items out has none.
      for await (const { data } of pages(input, options))
        for (const item of (names.reduce((part: Data, name) => part?.[name] as Data, data as Data) ??
          []) as Item[]) {
          yield item;
          limit -= 1;
          if (limit <= 0) return;
        }
  }
  return { pages, each };
}

type Data = { readonly [name: string]: unknown } | undefined;
