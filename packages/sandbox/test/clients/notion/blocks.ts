import { isFullBlock, iteratePaginatedAPI } from '@notionhq/client';
import { expect } from 'vitest';
import { countEach, isList, type NotionOperation, paragraph, text } from './operation.js';

export const blocks: readonly NotionOperation[] = [
  {
    name: 'blocks.children.append',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: [
          paragraph('A'),
          { heading_2: { rich_text: text('B') } },
          { to_do: { rich_text: text('C'), checked: true } },
          { toggle: { rich_text: text('D'), children: [paragraph('E')] } },
        ],
      }),
    gives: isList,
    saves: { block: 'results.0.id', toggle: 'results.3.id' },
  },
  {
    name: 'blocks.children.append, a table',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: [
          {
            table: {
              table_width: 2,
              has_column_header: true,
              has_row_header: false,
              children: [{ table_row: { cells: [text('a'), text('b')] } }],
            },
          },
        ],
      }),
    gives: isList,
  },
  {
    name: 'blocks.children.append, columns',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: [
          {
            column_list: {
              children: [
                { column: { children: [paragraph('l')] } },
                { column: { children: [paragraph('r')] } },
              ],
            },
          },
        ],
      }),
    gives: isList,
  },
  {
    name: 'blocks.children.append, media',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: [
          { image: { type: 'external', external: { url: 'https://example.com/a.png' } } },
          { bookmark: { url: 'https://example.com' } },
          { equation: { expression: 'e=mc^2' } },
          { divider: {} },
          { table_of_contents: {} },
          { code: { rich_text: text('x'), language: 'rust' } },
          { callout: { rich_text: text('!') } },
          { quote: { rich_text: text('q') } },
          { breadcrumb: {} },
          { embed: { url: 'https://example.com' } },
        ],
      }),
    gives: isList,
  },
  {
    name: 'blocks.children.append, a synced block and a link',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: [
          { synced_block: { synced_from: null, children: [paragraph('same')] } },
          { link_to_page: { type: 'page_id', page_id: id('home') } },
        ],
      }),
    gives: isList,
  },
  {
    name: 'blocks.children.append, a mention',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: [
          {
            paragraph: {
              rich_text: [
                { mention: { type: 'user', user: { id: id('person') } } },
                { mention: { type: 'date', date: { start: '2026-12-24' } } },
                { mention: { type: 'page', page: { id: id('home') } } },
                { equation: { expression: 'x' } },
              ],
            },
          },
        ],
      }),
    gives: {
      results: [
        {
          paragraph: {
            rich_text: [
              { plain_text: expect.stringMatching(/^@/) },
              { plain_text: '2026-12-24' },
              { plain_text: expect.stringMatching(/./) },
              { plain_text: 'x' },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'blocks.children.append, after another',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        after: id('block'),
        children: [paragraph('Between')],
      }),
    gives: isList,
  },
  {
    name: 'blocks.children.append, at the start',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        position: { type: 'start' },
        children: [paragraph('On top')],
      }),
    gives: isList,
  },
  {
    name: 'blocks.children.append, 101 of them',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: Array.from({ length: 101 }, () => paragraph('x')),
      }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'blocks.children.append, too long a text',
    call: (notion, id) =>
      notion.blocks.children.append({ block_id: id('page'), children: [paragraph('x'.repeat(2001))] }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'blocks.children.list',
    call: (notion, id) => notion.blocks.children.list({ block_id: id('page'), page_size: 3 }),
    gives: { has_more: true, type: 'block' },
  },
  {
    name: 'blocks.children.list, every page',
    call: (notion, id) =>
      countEach(iteratePaginatedAPI(notion.blocks.children.list, { block_id: id('page'), page_size: 2 })),
    gives: { many: true },
  },
  {
    name: 'blocks.children.list, of a block',
    call: (notion, id) => notion.blocks.children.list({ block_id: id('toggle') }),
    gives: { has_more: false },
  },
  {
    name: 'blocks.retrieve',
    call: async (notion, id) => ({
      full: isFullBlock(await notion.blocks.retrieve({ block_id: id('block') })),
    }),
    gives: { full: true },
  },
  {
    name: 'blocks.retrieve, a page',
    call: (notion, id) => notion.blocks.retrieve({ block_id: id('page') }),
    gives: { type: 'child_page' },
  },
  {
    name: 'blocks.update',
    call: (notion, id) =>
      notion.blocks.update({
        block_id: id('block'),
        paragraph: { rich_text: text('A, changed'), color: 'blue' },
      }),
    gives: { type: 'paragraph' },
  },
  {
    name: 'blocks.update, another type',
    call: (notion, id) => notion.blocks.update({ block_id: id('block'), quote: { rich_text: text('no') } }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'blocks.delete',
    call: (notion, id) => notion.blocks.delete({ block_id: id('block') }),
    gives: { in_trash: true },
  },
  {
    name: 'blocks.update, out of the trash',
    call: (notion, id) => notion.blocks.update({ block_id: id('block'), in_trash: false }),
    gives: { in_trash: false },
  },
];
