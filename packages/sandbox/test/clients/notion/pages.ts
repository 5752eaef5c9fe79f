import { isFullPage } from '@notionhq/client';
import { expect } from 'vitest';
import { NOWHERE, type NotionOperation, paragraph, text } from './operation.js';

export const pages: readonly NotionOperation[] = [
  {
    name: 'pages.create',
    call: (notion, id) =>
      notion.pages.create({
        parent: { page_id: id('home') },
        properties: { title: { title: text('Battery') } },
        children: [paragraph('First')],
        icon: { type: 'emoji', emoji: '🔋' },
      }),
    gives: { object: 'page', in_trash: false },
    saves: { page: 'id' },
  },
  {
    name: 'pages.create, in a data source',
    call: (notion, id) =>
      notion.pages.create({
        parent: { type: 'data_source_id', data_source_id: id('tasks') },
        properties: {
          Name: { title: text('Row') },
          Status: { status: { name: 'Done' } },
          Tags: { multi_select: [{ name: 'api' }] },
          Due: { date: { start: '2026-12-01' } },
          Estimate: { number: 2 },
          Billable: { checkbox: true },
          Link: { url: 'https://example.com' },
          Notes: { rich_text: text('Words') },
          Owner: { people: [{ id: id('person') }] },
        },
      }),
    gives: { object: 'page' },
    saves: {
      row: 'id',
      dueId: 'properties.Due.id',
      notesId: 'properties.Notes.id',
      nameId: 'properties.Name.id',
      tagsId: 'properties.Tags.id',
      ownerId: 'properties.Owner.id',
    },
  },
  {
    name: 'pages.create, from Markdown',
    call: (notion, id) =>
      notion.pages.create({ parent: { page_id: id('home') }, markdown: '# Written\n\nIn *Markdown*.' }),
    gives: { object: 'page' },
    saves: { written: 'id' },
  },
  {
    name: 'pages.create, at the start',
    call: (notion, id) =>
      notion.pages.create({
        parent: { page_id: id('home') },
        position: { type: 'page_start' },
        properties: { title: { title: text('Up') } },
      }),
    gives: { object: 'page' },
  },
  {
    name: 'pages.create, without a parent that exists',
    call: (notion) => notion.pages.create({ parent: { page_id: NOWHERE }, properties: {} }),
    throws: { code: 'object_not_found' },
  },
  {
    name: 'pages.create, with a property that does not',
    call: (notion, id) =>
      notion.pages.create({
        parent: { data_source_id: id('tasks') },
        properties: { Nothing: { number: 1 } },
      }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'pages.retrieve',
    call: async (notion, id) => ({ full: isFullPage(await notion.pages.retrieve({ page_id: id('page') })) }),
    gives: { full: true },
  },
  {
    name: 'pages.retrieve, one property',
    call: (notion, id) =>
      notion.pages.retrieve({ page_id: id('row'), filter_properties: [decodeURIComponent(id('dueId'))] }),
    gives: { object: 'page' },
  },
  {
    name: 'pages.retrieve, nowhere',
    call: (notion) => notion.pages.retrieve({ page_id: NOWHERE }),
    throws: { code: 'object_not_found', status: 404, request_id: expect.any(String) },
  },
  {
    name: 'pages.properties.retrieve, a date',
    call: (notion, id) => notion.pages.properties.retrieve({ page_id: id('row'), property_id: id('dueId') }),
    gives: { object: 'property_item', type: 'date' },
  },
  {
    name: 'pages.properties.retrieve, a title',
    call: (notion, id) => notion.pages.properties.retrieve({ page_id: id('row'), property_id: id('nameId') }),
    gives: { object: 'list', type: 'property_item' },
  },
  {
    name: 'pages.properties.retrieve, rich text',
    call: (notion, id) =>
      notion.pages.properties.retrieve({ page_id: id('row'), property_id: id('notesId') }),
    gives: { object: 'list', type: 'property_item' },
  },
  {
    name: 'pages.properties.retrieve, tags',
    call: (notion, id) => notion.pages.properties.retrieve({ page_id: id('row'), property_id: id('tagsId') }),
    gives: { object: 'property_item', type: 'multi_select' },
  },
  {
    name: 'pages.properties.retrieve, people',
    call: (notion, id) =>
      notion.pages.properties.retrieve({ page_id: id('row'), property_id: id('ownerId') }),
    gives: { object: 'list' },
  },
  {
    name: 'pages.properties.retrieve, none such',
    call: (notion, id) => notion.pages.properties.retrieve({ page_id: id('row'), property_id: 'nope' }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'pages.update',
    call: (notion, id) =>
      notion.pages.update({
        page_id: id('row'),
        properties: { Estimate: { number: 3 } },
        icon: { type: 'external', external: { url: 'https://example.com/icon.png' } },
      }),
    gives: { object: 'page' },
  },
  {
    name: 'pages.update, cover and none',
    call: (notion, id) =>
      notion.pages.update({
        page_id: id('page'),
        cover: { type: 'external', external: { url: 'https://example.com/c.png' } },
        icon: null,
      }),
    gives: { icon: null },
  },
  {
    name: 'pages.update, locked',
    call: (notion, id) => notion.pages.update({ page_id: id('page'), is_locked: true }),
    gives: { is_locked: true },
  },
  {
    name: 'pages.update, unlocked',
    call: (notion, id) => notion.pages.update({ page_id: id('page'), is_locked: false }),
    gives: { is_locked: false },
  },
  {
    name: 'pages.move',
    call: (notion, id) => notion.pages.move({ page_id: id('written'), parent: { page_id: id('page') } }),
    gives: { object: 'page' },
  },
  {
    name: 'pages.retrieveMarkdown',
    call: (notion, id) => notion.pages.retrieveMarkdown({ page_id: id('written') }),
    gives: { object: 'page_markdown', truncated: false },
  },
  {
    name: 'pages.updateMarkdown, inserts',
    call: (notion, id) =>
      notion.pages.updateMarkdown({
        page_id: id('written'),
        type: 'insert_content',
        insert_content: { content: '- one\n- two' },
      }),
    gives: { object: 'page_markdown' },
  },
  {
    name: 'pages.updateMarkdown, replaces all',
    call: (notion, id) =>
      notion.pages.updateMarkdown({
        page_id: id('written'),
        type: 'replace_content',
        replace_content: {
          new_str: '## Anew\n\n1. first\n2. second\n\n> said\n\n```js\nrun()\n```\n\n---\n\n- [x] done',
        },
      }),
    gives: { object: 'page_markdown' },
  },
  {
    name: 'pages.updateMarkdown, changes a text',
    call: (notion, id) =>
      notion.pages.updateMarkdown({
        page_id: id('written'),
        type: 'update_content',
        update_content: { content_updates: [{ old_str: 'Anew', new_str: 'Again' }] },
      }),
    gives: { object: 'page_markdown' },
  },
  {
    name: 'pages.updateMarkdown, a text that is not there',
    call: (notion, id) =>
      notion.pages.updateMarkdown({
        page_id: id('written'),
        type: 'update_content',
        update_content: { content_updates: [{ old_str: 'Never written', new_str: 'x' }] },
      }),
    throws: { code: 'validation_error' },
  },
];
