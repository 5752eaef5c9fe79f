import { expect, test } from 'vitest';
import { splitBlocks } from './split-blocks.js';

const text = (length: number) => ({ type: 'quote', quote: { text: 'é'.repeat(length / 2) } });
const divider = { type: 'divider', divider: {} };
const toggle = (children: readonly object[]) => ({ type: 'toggle', toggle: { rich_text: [], children } });
/**
 * Builds a content block that contains blocks nested in two levels: `count` blocks in total, itself included. Each
 * block of the first level counts at most 100 blocks, itself included.
 */
const nested = (count: number) =>
  toggle(
    Array.from({ length: Math.ceil((count - 1) / 100) }, (_, index) =>
      toggle(Array(Math.min(100, count - 1 - index * 100) - 1).fill(divider)),
    ),
  );
const columns = (children: readonly object[]) => ({
  type: 'column_list',
  column_list: { children: Array(2).fill({ type: 'column', column: { children } }) },
});
const sizes = (blocks: readonly object[], body?: object) =>
  splitBlocks(blocks.map(Object), { field: 'blocks', ...(body && { body: Object(body) }) }).map(
    ({ length }) => length,
  );

test.each([
  { title: 'no block into one request', blocks: [], split: [0] },
  { title: '250 blocks by their number', blocks: Array(250).fill(text(2)), split: [100, 100, 50] },
  { title: 'long blocks by their bytes', blocks: Array(7).fill(text(120_000)), split: [4, 3] },
  { title: 'short blocks after a long one', blocks: [text(499_000), text(1000), text(2)], split: [1, 2] },
  { title: 'nested blocks by their total number', blocks: Array(5).fill(nested(400)), split: [2, 2, 1] },
])('splitBlocks splits $title', ({ blocks, split }) => {
  expect(sizes(blocks)).toEqual(split);
});

test.each([
  { title: 'fewer blocks with a large body', length: 200_000, split: [2, 1] },
  { title: 'no blocks with a body at the limit', length: 450_000, split: [0, 3] },
])('splitBlocks sends $title', ({ length, split }) => {
  expect(sizes(Array(3).fill(text(120_000)), { properties: 'x'.repeat(length) })).toEqual(split);
});

test('split blocks stay below the limits of the upstream for any lengths', () => {
  const lengths = Array.from({ length: 400 }, (_, index) => 2 * (1 + ((index * 7919) % 9000)));
  const batches = splitBlocks(lengths.map(text), { field: 'blocks' });
  const bytes = batches.map((children) => Buffer.byteLength(JSON.stringify({ children })));
  expect(batches.flat()).toEqual(lengths.map(text));
  expect(batches.every(({ length }) => length <= 100)).toBe(true);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(500_000);
  expect(Math.max(...bytes)).toBeGreaterThan(450_000);
});

test('splitBlocks accepts two levels of blocks inside columns', () => {
  expect(sizes([columns([toggle([divider])])])).toEqual([1]);
});

test.each([
  { title: 'a third level', block: toggle([toggle([toggle([divider])])]), field: '.toggle.children[0]' },
  { title: 'a third level in columns', block: columns([toggle([toggle([divider])])]), field: '.column' },
  { title: '101 blocks in one', block: toggle(Array(101).fill(divider)), field: '.toggle.children' },
])('splitBlocks refuses $title and explains how to append the rest', ({ block, field }) => {
  expect(() => splitBlocks([block].map(Object), { field: 'blocks' })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/omit the rest.*workspace_blocks_append/),
      details: { errors: [expect.objectContaining({ field: expect.stringContaining(`blocks[0]${field}`) })] },
    }),
  );
});

test.each([
  { title: 'a block larger than a request', block: text(500_000), rule: 'maxLength', message: '500000' },
  {
    title: 'a block with too many children',
    block: nested(1001),
    rule: 'maxItems',
    message: '1001 blocks, but one request can have 1000',
  },
])('splitBlocks refuses $title and names its path', ({ block, rule, message }) => {
  expect(() => splitBlocks([text(2), block], { field: 'child_blocks' })).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: expect.stringContaining(message),
      details: { errors: [expect.objectContaining({ field: 'child_blocks[1]', rule })] },
    }),
  );
});
