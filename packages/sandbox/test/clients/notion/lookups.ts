import { collectPaginatedAPI, isFullUser, iteratePaginatedAPI } from '@notionhq/client';
import { countEach, isList, NOWHERE, type NotionOperation } from './operation.js';

export const lookups: readonly NotionOperation[] = [
  {
    name: 'users.me',
    call: (notion) => notion.users.me({}),
    gives: { object: 'user', type: 'bot' },
    saves: { bot: 'id' },
  },
  {
    name: 'users.list',
    call: (notion) => notion.users.list({}),
    gives: { object: 'list', type: 'user' },
    saves: { person: 'results.0.id' },
  },
  {
    name: 'users.list, a page of one',
    call: (notion) => notion.users.list({ page_size: 1 }),
    gives: { has_more: true },
  },
  {
    name: 'users.retrieve',
    call: async (notion, id) => ({
      full: isFullUser(await notion.users.retrieve({ user_id: id('person') })),
    }),
    gives: { full: true },
  },
  {
    name: 'users.retrieve, nobody',
    call: (notion) => notion.users.retrieve({ user_id: NOWHERE }),
    throws: { code: 'object_not_found', status: 404 },
  },
  {
    name: 'search, pages',
    call: (notion) => notion.search({ filter: { property: 'object', value: 'page' }, query: 'Welcome' }),
    gives: { type: 'page_or_data_source' },
    saves: { home: 'results.0.id' },
  },
  {
    name: 'search, data sources',
    call: (notion) => notion.search({ filter: { property: 'object', value: 'data_source' }, query: 'Tasks' }),
    gives: isList,
    saves: { tasks: 'results.0.id', tasksDatabase: 'results.0.parent.database_id' },
  },
  {
    name: 'search, sorted',
    call: (notion) =>
      notion.search({ sort: { timestamp: 'last_edited_time', direction: 'ascending' }, page_size: 2 }),
    gives: { has_more: true },
  },
  {
    name: 'search, every page',
    call: async (notion) => countEach(iteratePaginatedAPI(notion.search, { page_size: 3 })),
    gives: { many: true },
  },
  {
    name: 'search, collected',
    call: async (notion) => ({
      isPaged: (await collectPaginatedAPI(notion.search, { page_size: 4 })).length > 4,
    }),
    gives: { isPaged: true },
  },
  {
    name: 'search, an impossible size',
    call: (notion) => notion.search({ page_size: 101 }),
    throws: { code: 'validation_error', status: 400 },
  },
];
