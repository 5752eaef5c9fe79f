import { loadCatalog, type Paging } from '@svc/catalog';
import { expect, test } from 'vitest';
import { nextPageHint, resultText } from './outcome.js';

const { tools } = loadCatalog();
const pagingOf = (name: string): Paging | undefined => tools.get(name)?.versions[0]?.paging;
const numbered = { elements: [], nextPage: 2 };

test.each([
  {
    title: 'a page token',
    paging: pagingOf('calendar_list_events'),
    data: { nextPageToken: 'a"b' },
    hint: 'There is more: call again with page_token = "a\\"b".',
  },
  {
    title: 'a page number with another required input',
    paging: pagingOf('network_profile_comments_list'),
    data: { ...numbered, pagination: { paginationToken: 'p2' } },
    hint: 'There is more: call again with page = 2 and pagination_token = "p2".',
  },
  {
    title: 'a page number without the other input',
    paging: pagingOf('network_profile_comments_list'),
    data: { ...numbered, pagination: null },
    hint: 'There is more: call again with page = 2.',
  },
  {
    title: 'a nested cursor',
    paging: { input: 'cursor', output: 'meta/next', items: 'items' },
    data: { meta: { next: 'c2' } },
    hint: 'There is more: call again with cursor = "c2".',
  },
  {
    title: 'pages without an input',
    paging: pagingOf('network_post_comments_list'),
    data: numbered,
    hint: 'There is more data, but the tool has no input to request it. Narrow the request instead.',
  },
  { title: 'the last page', paging: pagingOf('calendar_list_events'), data: { items: [] }, hint: undefined },
  { title: 'no pages', paging: undefined, data: numbered, hint: undefined },
  {
    title: 'data that is not an object',
    paging: pagingOf('calendar_list_events'),
    data: null,
    hint: undefined,
  },
])('the hint for the next page covers $title', ({ paging, data, hint }) => {
  expect(nextPageHint(paging, data)).toBe(hint);
});

test('halves of surrogate pairs in the data of an upstream are replaced for models', () => {
  const data = { text: 'a\ud83d', pair: '\ud83d\ude00', '\udc00': ['\ude00b'], path: 'C:\\ud83d' };
  const { content, structuredContent } = JSON.parse(resultText({ data, isWrapped: false }));
  const repaired = { text: 'a\ufffd', pair: '\ud83d\ude00', '\ufffd': ['\ufffdb'], path: 'C:\\ud83d' };
  expect(structuredContent).toEqual(repaired);
  expect(JSON.parse(content[0].text)).toEqual(repaired);
});
