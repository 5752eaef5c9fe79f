import { loadCatalog, type Paging } from '@svc/catalog';
import { expect, test } from 'vitest';
import { nextPageHint } from './outcome.js';

const { tools } = loadCatalog();
const pagingOf = (name: string): Paging | undefined => tools.get(name)?.versions[0]?.paging;
const numbered = { elements: [], nextPage: 2 };

test.each([
  {
    title: 'a token',
    paging: pagingOf('calendar_list_events'),
    data: { nextPageToken: 'a"b' },
    hint: 'There is more: call again with page_token = "a\\"b".',
  },
  {
    title: 'a number, with what else the next page needs',
    paging: pagingOf('network_profile_comments_list'),
    data: { ...numbered, pagination: { paginationToken: 'p2' } },
    hint: 'There is more: call again with page = 2 and pagination_token = "p2".',
  },
  {
    title: 'a number, where the rest is not there',
    paging: pagingOf('network_profile_comments_list'),
    data: { ...numbered, pagination: null },
    hint: 'There is more: call again with page = 2.',
  },
  {
    title: 'a place within the data',
    paging: { input: 'cursor', output: 'meta/next', items: 'items' },
    data: { meta: { next: 'c2' } },
    hint: 'There is more: call again with cursor = "c2".',
  },
  {
    title: 'pages that no input asks for',
    paging: pagingOf('network_post_comments_list'),
    data: numbered,
    hint: 'There is more data, but the tool has no input to request it.',
  },
  { title: 'the last page', paging: pagingOf('calendar_list_events'), data: { items: [] }, hint: undefined },
  { title: 'no pages', paging: undefined, data: numbered, hint: undefined },
  { title: 'no object', paging: pagingOf('calendar_list_events'), data: null, hint: undefined },
])('says how the next page is asked for: $title', ({ paging, data, hint }) => {
  expect(nextPageHint(paging, data)).toBe(hint);
});
