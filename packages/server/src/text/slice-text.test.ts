import { expect, test } from 'vitest';
import { sliceText } from './slice-text.js';

test.each([
  { text: 'longer', start: 0, end: 4, part: 'long' },
  { text: 'longer', start: 4, end: 9, part: 'er' },
  { text: 'a😀b', start: 0, end: 2, part: 'a' },
  { text: 'a😀b', start: 0, end: 3, part: 'a😀' },
  { text: 'a😀b', start: 2, end: 4, part: '😀b' },
  { text: 'a😀b', start: 3, end: 4, part: 'b' },
  { text: '😀😀', start: 1, end: 3, part: '😀' },
  { text: '😀', start: 0, end: 1, part: '' },
  { text: 'a\ud83db', start: 0, end: 2, part: 'a\ud83d' },
])('returns $part of $text from $start to $end', ({ text, start, end, part }) => {
  expect(sliceText(text, start, end)).toBe(part);
});
