import {
  collectDataSourceTemplates,
  isFullDatabase,
  isFullDataSource,
  iteratePaginatedAPI,
} from '@notionhq/client';
import { countEach, isList, type NotionOperation, text } from './operation.js';

export const databases: readonly NotionOperation[] = [
  {
    name: 'databases.create',
    call: (notion, id) =>
      notion.databases.create({
        parent: { type: 'page_id', page_id: id('page') },
        title: text('Stock'),
        description: text('What is there'),
        is_inline: true,
        initial_data_source: {
          properties: {
            Name: { title: {} },
            Amount: { number: { format: 'euro' } },
            Kind: { select: { options: [{ name: 'New', color: 'green' }] } },
            Mail: { email: {} },
            Phone: { phone_number: {} },
            Files: { files: {} },
            By: { created_by: {} },
            At: { last_edited_time: {} },
            Number: { unique_id: { prefix: 'ST' } },
          },
        },
      }),
    gives: { object: 'database', is_inline: true },
    saves: { database: 'id', source: 'data_sources.0.id' },
  },
  {
    name: 'databases.create, without a title column',
    call: (notion, id) =>
      notion.databases.create({
        parent: { type: 'page_id', page_id: id('page') },
        initial_data_source: { properties: { Amount: { number: {} } } },
      }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'databases.retrieve',
    call: async (notion, id) => ({
      full: isFullDatabase(await notion.databases.retrieve({ database_id: id('database') })),
    }),
    gives: { full: true },
  },
  {
    name: 'databases.update',
    call: (notion, id) =>
      notion.databases.update({
        database_id: id('database'),
        title: text('Stocks'),
        is_inline: false,
        icon: { type: 'emoji', emoji: '📦' },
      }),
    gives: { is_inline: false },
  },
  {
    name: 'databases.update, locked',
    call: (notion, id) => notion.databases.update({ database_id: id('database'), is_locked: true }),
    gives: { is_locked: true },
  },
  {
    name: 'databases.update, unlocked',
    call: (notion, id) => notion.databases.update({ database_id: id('database'), is_locked: false }),
    gives: { is_locked: false },
  },
  {
    name: 'dataSources.retrieve',
    call: async (notion, id) => ({
      full: isFullDataSource(await notion.dataSources.retrieve({ data_source_id: id('source') })),
    }),
    gives: { full: true },
  },
  {
    name: 'dataSources.create',
    call: (notion, id) =>
      notion.dataSources.create({
        parent: { database_id: id('database') },
        title: text('Second'),
        properties: {
          Title: { title: {} },
          Stock: { relation: { data_source_id: id('source'), single_property: {} } },
        },
      }),
    gives: { object: 'data_source' },
    saves: { second: 'id' },
  },
  {
    name: 'dataSources.update',
    call: (notion, id) =>
      notion.dataSources.update({
        data_source_id: id('source'),
        title: text('First'),
        properties: { Amount: { name: 'Sum' }, Mail: null, Seen: { checkbox: {} } },
      }),
    gives: { object: 'data_source' },
  },
  {
    name: 'dataSources.update, both ways related',
    call: (notion, id) =>
      notion.dataSources.update({
        data_source_id: id('second'),
        properties: { Twin: { relation: { data_source_id: id('source'), dual_property: {} } } },
      }),
    gives: { object: 'data_source' },
  },
  {
    name: 'dataSources.query',
    call: (notion, id) => notion.dataSources.query({ data_source_id: id('tasks'), page_size: 2 }),
    gives: { has_more: true, type: 'page_or_data_source' },
  },
  {
    name: 'dataSources.query, filtered and sorted',
    call: (notion, id) =>
      notion.dataSources.query({
        data_source_id: id('tasks'),
        filter: {
          and: [
            { property: 'Status', status: { does_not_equal: 'Done' } },
            {
              or: [
                { property: 'Estimate', number: { greater_than: 1 } },
                { property: 'Tags', multi_select: { contains: 'api' } },
              ],
            },
          ],
        },
        sorts: [
          { property: 'Due', direction: 'descending' },
          { timestamp: 'created_time', direction: 'ascending' },
        ],
      }),
    gives: isList,
  },
  {
    name: 'dataSources.query, by a time',
    call: (notion, id) =>
      notion.dataSources.query({
        data_source_id: id('tasks'),
        filter: { timestamp: 'created_time', created_time: { past_week: {} } },
      }),
    gives: isList,
  },
  {
    name: 'dataSources.query, every page',
    call: (notion, id) =>
      countEach(iteratePaginatedAPI(notion.dataSources.query, { data_source_id: id('tasks'), page_size: 2 })),
    gives: { many: true },
  },
  {
    name: 'dataSources.query, some properties',
    call: (notion, id) =>
      notion.dataSources.query({ data_source_id: id('tasks'), filter_properties: ['title'], page_size: 1 }),
    gives: isList,
  },
  {
    name: 'dataSources.query, a property that does not exist',
    call: (notion, id) =>
      notion.dataSources.query({
        data_source_id: id('tasks'),
        filter: { property: 'Nothing', checkbox: { equals: true } },
      }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'dataSources.query, of a database',
    call: (notion, id) => notion.dataSources.query({ data_source_id: id('database') }),
    throws: { code: 'object_not_found' },
  },
  {
    name: 'dataSources.listTemplates',
    call: (notion, id) => notion.dataSources.listTemplates({ data_source_id: id('tasks') }),
    gives: { templates: [], has_more: false },
  },
  {
    name: 'dataSources.listTemplates, collected',
    call: (notion, id) => collectDataSourceTemplates(notion, { data_source_id: id('tasks') }),
    gives: [],
  },
  {
    name: 'databases.update, into the trash',
    call: (notion, id) => notion.databases.update({ database_id: id('database'), in_trash: true }),
    gives: { in_trash: true },
  },
];
