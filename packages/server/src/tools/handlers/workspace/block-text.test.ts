import { expect, test } from 'vitest';
import { blockText } from './block-text.js';

const pieces = (...texts: string[]) => texts.map((plain_text) => ({ type: 'text', plain_text }));

test.each([
  {
    title: 'the pieces of a text',
    block: { type: 'paragraph', paragraph: { rich_text: pieces('a', 'b') } },
    text: 'ab',
  },
  {
    title: 'the code, not its caption',
    block: { type: 'code', code: { rich_text: pieces('x=1'), caption: pieces('Listing') } },
    text: 'x=1',
  },
  {
    title: 'the caption of an image',
    block: { type: 'image', image: { caption: pieces('A plan') } },
    text: 'A plan',
  },
  {
    title: 'the title of a page',
    block: { type: 'child_page', child_page: { title: 'Minutes' } },
    text: 'Minutes',
  },
  {
    title: 'the cells of a table row',
    block: { type: 'table_row', table_row: { cells: [pieces('a', 'b'), [], pieces('c')] } },
    text: 'ab |  | c',
  },
  { title: 'an equation', block: { type: 'equation', equation: { expression: 'e=mc^2' } }, text: 'e=mc^2' },
  { title: 'empty for a divider', block: { type: 'divider', divider: {} }, text: '' },
  {
    title: 'empty for a block with only an id',
    block: { object: 'block', id: 'b1' },
    text: '',
  },
  {
    title: 'empty for pieces without text',
    block: { type: 'quote', quote: { rich_text: [null, {}] } },
    text: '',
  },
])('the text of a block is $title', ({ block, text }) => {
  expect(blockText(block)).toBe(text);
});
