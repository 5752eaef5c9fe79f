import { expect, test } from 'vitest';
import { toBlock, toContentBlock, toTextContent } from './block.js';

const refusal = (field: string, rule: string) =>
  expect.objectContaining({
    code: 'invalid_input',
    message: expect.stringContaining(field),
    details: { errors: [expect.objectContaining({ field, rule })] },
  });
const richText = (content: string) => [{ type: 'text', text: { content } }];

test.each([
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'bulleted_list_item',
  'numbered_list_item',
  'quote',
  'callout',
])('converts a simple %s', (type) => {
  expect(toBlock({ type, text: 'Hello' }, 'blocks[0]')).toEqual({
    object: 'block',
    type,
    [type]: { rich_text: richText('Hello') },
  });
});

test.each([
  {
    title: 'code with an alias of its language',
    block: { type: 'code', text: 'ls', language: 'sh' },
    content: { code: { rich_text: richText('ls'), language: 'shell' } },
  },
  {
    title: 'code without a language as plain text',
    block: { type: 'code', text: 'ls' },
    content: { code: { rich_text: richText('ls'), language: 'plain text' } },
  },
  { title: 'a divider', block: { type: 'divider' }, content: { divider: {} } },
  {
    title: 'an empty text without text items',
    block: { type: 'quote', text: '' },
    content: { quote: { rich_text: [] } },
  },
])('converts $title', ({ block, content }) => {
  expect(toBlock(block, 'blocks[0]')).toEqual({ object: 'block', type: block.type, ...content });
});

test.each([
  { title: 'an unknown type', block: { type: 'table', text: 'x' }, field: 'blocks[7].type', rule: 'enum' },
  {
    title: 'a type with the name of an inherited property',
    block: { type: 'constructor', text: 'x' },
    field: 'blocks[7].type',
    rule: 'enum',
  },
  {
    title: 'a block in the upstream format',
    block: { type: 'paragraph', paragraph: { rich_text: [] } },
    field: 'blocks[7].paragraph',
    rule: 'additionalProperties',
  },
  {
    title: 'rich text next to plain text',
    block: { type: 'paragraph', text: 'x', rich_text: [] },
    field: 'blocks[7].rich_text',
    rule: 'additionalProperties',
  },
  { title: 'a missing text', block: { type: 'quote' }, field: 'blocks[7].text', rule: 'required' },
  {
    title: 'a text of a divider',
    block: { type: 'divider', text: 'x' },
    field: 'blocks[7].text',
    rule: 'type',
  },
  {
    title: 'a language of a block that is not code',
    block: { type: 'paragraph', text: 'x', language: 'go' },
    field: 'blocks[7].language',
    rule: 'type',
  },
])('refuses $title', ({ block, field, rule }) => {
  expect(() => toBlock(block, 'blocks[7]')).toThrow(refusal(field, rule));
});

test('a code block without a given language keeps its language', () => {
  expect(toTextContent({ type: 'code', text: 'ls' }, '')).toEqual({ code: { rich_text: richText('ls') } });
});

test('a language for a block that is not code is refused by its input name', () => {
  expect(() => toTextContent({ type: 'quote', text: 'x', language: 'go' }, '')).toThrow(
    refusal('language', 'type'),
  );
});

test.each([
  {
    title: 'in the upstream format',
    block: { type: 'to_do', to_do: { rich_text: [], checked: true }, children: [] },
  },
  { title: 'in the upstream format without a type', block: { paragraph: { rich_text: [] } } },
  { title: 'in the upstream format with an additional text', block: { type: 'quote', text: 'x', quote: {} } },
])('passes content $title unchanged', ({ block }) => {
  expect(toContentBlock(block, 'child_blocks[0]')).toBe(block);
});

test('converts simple content', () => {
  expect(toContentBlock({ object: 'block', type: 'quote', text: 'x' }, 'child_blocks[0]')).toEqual({
    object: 'block',
    type: 'quote',
    quote: { rich_text: richText('x') },
  });
});

test.each([
  { title: 'without a type', block: { text: 'x' }, field: 'child_blocks[2].type', rule: 'required' },
  {
    title: 'of a type without a simple form',
    block: { type: 'to_do', text: 'x' },
    field: 'child_blocks[2].type',
    rule: 'enum',
  },
  {
    title: 'whose children would be lost',
    block: { type: 'quote', text: 'x', children: [] },
    field: 'child_blocks[2].children',
    rule: 'additionalProperties',
  },
])('refuses simple content $title', ({ block, field, rule }) => {
  expect(() => toContentBlock(block, 'child_blocks[2]')).toThrow(refusal(field, rule));
});
