import { ServiceError } from './errors.js';
import type { CallOptions } from './tool.js';

/** The names of the page token in the input, of the next token in the data, and of the items there. */
export type Paging = readonly [token: string, nextToken: string, items: string];

/** Turns a call that answers in pages into an iteration over the items of all pages. */
export const eachItem = <Input, Item>(
  fetchPage: (input: Input, options?: CallOptions) => Promise<{ data: unknown }>,
  [token, nextToken, items]: Paging,
) =>
  async function* (input: Input, options?: CallOptions): AsyncGenerator<Item, void> {
    const seen = new Set<unknown>();
    let page = input;
    for (;;) {
      // Answers are not checked at run time; an upstream that leaves the items out has none.
      const data = (await fetchPage(page, options)).data as Readonly<Record<string, unknown>>;
      yield* (data[items] ?? []) as Item[];
      const next = data[nextToken];
      if (!next) return;
      if (seen.has(next)) {
        throw new ServiceError({
          code: 'repeated_page_token',
          message: `Paging in a circle: ${nextToken}`,
        });
      }
      seen.add(next);
      page = { ...input, [token]: next };
    }
  };
