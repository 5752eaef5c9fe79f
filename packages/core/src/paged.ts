import { demand } from './errors.js';
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
  async function* walk<Value>(
    input: Input,
    valuesOf: (page: Result) => readonly Value[],
    { limit = Infinity, ...options }: CallOptions & Limit = {},
  ): AsyncGenerator<Value, void> {
    const seen = new Set<unknown>();
    for (let page = input; limit > 0; ) {
      const result = await fetchPage(page, options);
      for (const value of valuesOf(result)) {
        yield value;
        limit -= 1;
        if (limit <= 0) return;
      }
      const next = at(result, nextToken);
      if (!next) return;
      demand(!seen.has(next), 'repeated_page_token', 'Paging in a circle');
      seen.add(next);
      const more = Object.entries(also).map(([name, place]) => [name, at(result, place)]);
      page = { ...input, ...Object.fromEntries(more), [token]: next };
      // A key is one call's: the next page is another one.
      options.idempotencyKey = undefined;
    }
  }
  return {
    pages: (input: Input, options?: CallOptions) => walk(input, (page) => [page], options),
    each: (input: Input, options?: CallOptions & Limit) =>
      walk(input, (page) => (at(page, items) ?? []) as Item[], options),
  };
}
