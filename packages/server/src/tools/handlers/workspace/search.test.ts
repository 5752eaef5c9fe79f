import { expect, test } from 'vitest';
import type { UpstreamRequest } from '../../handler.js';
import { search, searchSort } from './search.js';

test.each([
  { title: 'an empty query out', input: { query: '', page_size: 5 }, body: { page_size: 5 } },
  { title: 'a query in', input: { query: 'a' }, body: { query: 'a' } },
])('leaves $title', async ({ input, body }) => {
  const requests: UpstreamRequest[] = [];

  await search(input, async (request) => requests.push(request));

  expect(requests).toStrictEqual([{ method: 'POST', path: '/v1/search', body }]);
});

test.each([
  { direction: undefined, timestamp: undefined, sort: undefined },
  {
    direction: 'ascending',
    timestamp: undefined,
    sort: { direction: 'ascending', timestamp: 'last_edited_time' },
  },
  {
    direction: undefined,
    timestamp: 'last_edited_time',
    sort: { direction: 'descending', timestamp: 'last_edited_time' },
  },
])('sorts by both keys or by none: $direction, $timestamp', ({ direction, timestamp, sort }) => {
  expect(searchSort(direction, timestamp)).toEqual(sort);
});
