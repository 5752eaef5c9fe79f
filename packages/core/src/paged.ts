import { ServiceError } from './errors.js';
import type { CallOptions, Limit } from './tool.js';

/**
 * The name of the page token in the input, the places of the next token and of the items in the data, and further inputs that
 * the next page needs, with their places there. A place is a path of names, such as `meta/cursor`.
 */
export type Paging = readonly [
  token: string,
  nextToken: string,
  items: string,
  also?: Readonly<Record<string, string>>,
];

type Data = Readonly<Record<string, unknown>>;

/** Turns a call that answers in pages into iterations: over the pages, and over the items of all pages. */
export function paged<Input, Result, Item>(
  fetchPage: (input: Input, options?: CallOptions) => Promise<Result>,
  [token, nextToken, items, also = {}]: Paging,
) {
  // Answers are not checked at run time. A tool's has its data apart; an upstream that leaves the items out has none.
  const at = (result: unknown, place: string) => {
    const answer = result as Data & { readonly data?: Data };
    return place
      .split('/')
      .reduce<unknown>((part, name) => (part as Data | undefined)?.[name], answer.data ?? answer);
  };
  async function* pages(input: Input, options?: CallOptions): AsyncGenerator<Result, void> {
    const seen = new Set<unknown>();
    let page = input;
    for (;;) {
      // A key is one call's: the next page is another one.
      const result = await fetchPage(page, seen.size ? { ...options, idempotencyKey: undefined } : options);
      yield result;
      const next = at(result, nextToken);
      if (!next) return;
      if (seen.size === seen.add(next).size) {
        throw new ServiceError({
          code: 'repeated_page_token',
          message: 'Paging in a circle',
        });
      }
      const more = Object.entries(also).map(([name, place]) => [name, at(result, place)]);
      page = { ...input, ...Object.fromEntries(more), [token]: next };
    }
  }
  async function* each(
    input: Input,
    { limit: left = Infinity, ...options }: CallOptions & Limit = {},
  ): AsyncGenerator<Item, void> {
    if (left <= 0) return;
    for await (const page of pages(input, options)) {
      for (const item of (at(page, items) ?? []) as Item[]) {
        yield item;
        if (--left <= 0) return;
      }
    }
  }
  return { pages, each };
}
