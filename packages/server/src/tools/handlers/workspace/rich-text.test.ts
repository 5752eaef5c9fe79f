import { expect, test } from 'vitest';
import { toRichText } from './rich-text.js';

const contents = (text: string) => toRichText(text, 'text').map((item) => item.text.content);
const emoji = '😀';

test.each([
  { title: 'no item for an empty text', text: '', lengths: [] },
  { title: 'one item for a short text', text: 'x', lengths: [1] },
  { title: 'one item for 2000 characters', text: 'x'.repeat(2000), lengths: [2000] },
  { title: 'a second item for the 2001st', text: 'x'.repeat(2001), lengths: [2000, 1] },
  {
    title: 'a surrogate pair that ends at the limit whole',
    text: `${'x'.repeat(1998)}${emoji}x`,
    lengths: [2000, 1],
  },
  {
    title: 'a surrogate pair across the limit in the next item',
    text: `${'x'.repeat(1999)}${emoji}x`,
    lengths: [1999, 3],
  },
  { title: 'a lone surrogate unchanged', text: `${'x'.repeat(1999)}\ud83dx`, lengths: [2000, 1] },
])('toRichText returns $title', ({ text, lengths }) => {
  const pieces = contents(text);

  expect(pieces.map((piece) => piece.length)).toEqual(lengths);
  expect(pieces.join('')).toBe(text);
});

test('toRichText splits no surrogate pair', () => {
  const pieces = contents(`x${emoji.repeat(5000)}`);

  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(2000);
});

test('a text of 200,000 characters becomes 100 items', () => {
  expect(contents('x'.repeat(200_000))).toHaveLength(100);
});

test.each([
  { title: '200,001 characters', text: 'x'.repeat(200_001) },
  {
    title: '200,000 characters that need 101 items because surrogate pairs stay whole',
    text: `x${emoji.repeat(99_999)}x`,
  },
])('toRichText refuses $title', ({ text }) => {
  expect(() => toRichText(text, 'blocks[3].text')).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      details: { errors: [expect.objectContaining({ field: 'blocks[3].text', rule: 'maxLength' })] },
    }),
  );
});
