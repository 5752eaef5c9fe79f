import { ServiceError } from './errors.js';
import type { CallOptions } from './tool.js';

/** The names of the page token in the input, of the next token in the answer, and of the items there. */
export type Paging = readonly [token: string, nextToken: string, items: string];

type Fields = Readonly<Record<string, unknown>>;

/** Turns a call that answers in pages into an iteration over the items of all pages. */
export function eachItem<Input extends object | undefined, Options extends CallOptions, Item>(
  fetchPage: (input: Input, options?: Options) => Promise<unknown>,
  [token, nextToken, items]: Paging,
) {
  return async function* (input: Input, options?: Options): AsyncGenerator<Item, void> {
    const seen = new Set<unknown>();
    let query: Fields = { ...input };
    do {
      if (seen.has(query[token])) {
        const message = `Paging stopped: "${nextToken}" names a page that was already read`;
        throw new ServiceError('repeated_page_token', message);
      }
      seen.add(query[token]);
      // Answers are not checked at run time; an upstream that leaves the items out has none.
      const page = (await fetchPage(query as Input, options)) as Fields;
      for (const item of (page[items] ?? []) as Item[]) {
        options?.signal?.throwIfAborted();
        yield item;
      }
      query = { ...query, [token]: page[nextToken] };
    } while (query[token]);
  };
}
