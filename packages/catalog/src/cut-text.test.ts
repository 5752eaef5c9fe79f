import { expect, test } from 'vitest';
import { cutText } from './cut-text.js';

test.each([
  { text: 'short', most: 5, cut: 'short' },
  { text: 'longer', most: 5, cut: 'longe…' },
  { text: 'four😀', most: 5, cut: 'four…' },
  { text: 'four😀!', most: 6, cut: 'four😀…' },
  { text: 'four\ud83d!', most: 9, cut: 'four\ufffd!' },
  { text: '\ude00four', most: 3, cut: '\ufffdfo…' },
  { text: '😀', most: 1, cut: '…' },
  { text: '', most: 0, cut: '' },
])('cuts $text to at most $most code units', ({ text, most, cut }) => {
  expect(cutText(text, most)).toBe(cut);
  expect(cutText(text, most).isWellFormed()).toBe(true);
});
