import type { Send } from '../../handler.js';
import { given } from './json.js';

export interface Search {
  readonly query?: string;
  readonly page_size?: number;
  readonly start_cursor?: string;
}

/** Searches titles; an empty query is left out, which finds everything. */
export const search = (
  { query, page_size, start_cursor }: Search,
  send: Send,
  { filter, sort }: { filter?: unknown; sort?: unknown } = {},
): Promise<unknown> =>
  send({
    method: 'POST',
    path: '/v1/search',
    body: given({ query: query === '' ? undefined : query, filter, sort, page_size, start_cursor }),
  });

/** The upstream wants both keys of a sort, whichever was given. */
export const searchSort = (direction: string | undefined, timestamp: string | undefined) =>
  direction === undefined && timestamp === undefined
    ? undefined
    : { direction: direction ?? 'descending', timestamp: timestamp ?? 'last_edited_time' };
