import { ServiceError } from './errors.js';
import type { CallOptions, Limit } from './tool.js';

/** The names of the page token in the input, of the next token in the data, and of the items there. */
export type Paging = readonly [token: string, nextToken: string, items: string];

type Data = Readonly<Record<string, unknown>>;

/** Turns a call that answers in pages into iterations: over the pages, and over the items of all pages. */
export function paged<Input, Result, Item>(
  fetchPage: (input: Input, options?: CallOptions) => Promise<Result>,
  [token, nextToken, items]: Paging,
) {
  // Answers are not checked at run time. A tool's has its data apart; an upstream that leaves the items out has none.
  const dataOf = (result: unknown) => {
    const answer = result as Data & { readonly data?: Data };
    return answer.data ?? answer;
  };
  async function* pages(input: Input, options?: CallOptions): AsyncGenerator<Result, void> {
    const seen = new Set<unknown>();
    let page = input;
    for (;;) {
      const result = await fetchPage(page, options);
      yield result;
      const next = dataOf(result)[nextToken];
      if (!next) return;
      if (seen.size === seen.add(next).size) {
        throw new ServiceError({
          code: 'repeated_page_token',
          message: `Paging in a circle: ${nextToken}`,
        });
      }
      page = { ...input, [token]: next };
    }
  }
  async function* each(
    input: Input,
    { limit: left = Infinity, ...options }: CallOptions & Limit = {},
  ): AsyncGenerator<Item, void> {
    if (left <= 0) return;
    for await (const page of pages(input, options)) {
      for (const item of (dataOf(page)[items] ?? []) as Item[]) {
        yield item;
        if (--left <= 0) return;
      }
    }
  }
  return { pages, each };
}
