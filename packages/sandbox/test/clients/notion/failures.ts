import { type NotionOperation, text } from './operation.js';

export const failures: readonly NotionOperation[] = [
  {
    name: 'retries a limit and gets through',
    call: async (notion, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 429, headers: { 'retry-after': '0' } } });
      return notion.users.me({});
    },
    gives: { type: 'bot' },
  },
  {
    name: 'retries an overload of a write',
    call: async (notion, id, setDials) => {
      await setDials({ failNext: { count: 1, status: 529, headers: { 'retry-after': '0' } } });
      return notion.comments.create({ parent: { page_id: id('page') }, rich_text: text('Through') });
    },
    gives: { object: 'comment' },
  },
  {
    name: 'does not repeat a write that failed',
    call: async (notion, id, setDials) => {
      await setDials({ failNext: { count: 1, status: 500 } });
      return notion.comments.create({ parent: { page_id: id('page') }, rich_text: text('Lost') });
    },
    throws: { code: 'internal_server_error', status: 500 },
  },
  {
    name: 'gives up a limit that stays',
    call: async (notion, _, setDials) => {
      await setDials({ failNext: { count: 3, status: 429, headers: { 'retry-after': '0' } } });
      return notion.users.me({});
    },
    throws: { code: 'rate_limited', status: 429 },
  },
  {
    name: 'knows a conflict',
    call: async (notion, id, setDials) => {
      await setDials({ failNext: { count: 1, status: 409 } });
      return notion.pages.update({ page_id: id('page'), in_trash: false });
    },
    throws: { code: 'conflict_error' },
  },
  {
    name: 'knows what it may not do',
    call: async (notion, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 403 } });
      return notion.users.list({});
    },
    throws: { code: 'restricted_resource' },
  },
  {
    name: 'request, of a path that does not exist',
    call: (notion) => notion.request({ path: 'nowhere', method: 'get' }),
    throws: { code: 'invalid_request_url' },
  },
  {
    name: 'request, with a query',
    call: (notion) => notion.request({ path: 'users', method: 'get', query: { page_size: 1 } }),
    gives: { has_more: true },
  },
  {
    name: 'pages.update, into the trash',
    call: (notion, id) => notion.pages.update({ page_id: id('page'), in_trash: true }),
    gives: { in_trash: true },
  },
];
