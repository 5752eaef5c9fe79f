import { isList, NOWHERE, type NotionOperation } from './operation.js';

// The casts are necessary because the client's types for sorts and filters accept no value.
const BY_DUE_DATE = [{ property: 'Due', direction: 'ascending' }] as never;
const NOT_DONE = { property: 'Status', status: { does_not_equal: 'Done' } } as never;

export const views: readonly NotionOperation[] = [
  {
    name: 'views.create',
    call: (notion, id) =>
      notion.views.create({
        database_id: id('tasksDatabase'),
        data_source_id: id('tasks'),
        name: 'By due date',
        type: 'table',
        sorts: BY_DUE_DATE,
      }),
    gives: { object: 'view', type: 'table' },
    saves: { view: 'id' },
  },
  {
    name: 'views.list',
    call: (notion, id) => notion.views.list({ database_id: id('tasksDatabase') }),
    gives: isList,
  },
  {
    name: 'views.retrieve',
    call: (notion, id) => notion.views.retrieve({ view_id: id('view') }),
    gives: { object: 'view', name: 'By due date' },
  },
  {
    name: 'views.update',
    call: (notion, id) =>
      notion.views.update({
        view_id: id('view'),
        name: 'By date',
        filter: NOT_DONE,
      }),
    gives: { name: 'By date' },
  },
  {
    name: 'views.queries.create',
    call: (notion, id) => notion.views.queries.create({ view_id: id('view'), page_size: 2 }),
    gives: { object: 'view_query' },
    saves: { query: 'id' },
  },
  {
    name: 'views.queries.results',
    call: (notion, id) =>
      notion.views.queries.results({ view_id: id('view'), query_id: id('query'), page_size: 2 }),
    gives: isList,
  },
  {
    name: 'views.queries.delete',
    call: (notion, id) => notion.views.queries.delete({ view_id: id('view'), query_id: id('query') }),
    gives: { deleted: true },
  },
  {
    name: 'views.delete',
    call: (notion, id) => notion.views.delete({ view_id: id('view') }),
    gives: { object: 'view' },
  },
  {
    name: 'views.retrieve, nowhere',
    call: (notion) => notion.views.retrieve({ view_id: NOWHERE }),
    throws: { code: 'object_not_found' },
  },
];
