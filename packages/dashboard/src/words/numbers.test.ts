import { expect, test } from 'vitest';
import { grouped, percentage, totalWords } from './numbers.ts';

test.each([0, 7, 999, 1000, 12_345, 123_456, 1_234_567, 9_007_199_254_740_991])(
  '%i gets the same thousands separators as from Intl',
  (number) => {
    expect(grouped(number)).toBe(new Intl.NumberFormat('en').format(number));
  },
);

test.each([0, 0.0004, 0.0005, 0.001, 0.25, 1 / 3, 2 / 3, 0.9994, 0.9996, 1])(
  '%f becomes the same percentage as from Intl',
  (share) => {
    const format = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
    expect(percentage(share)).toBe(format.format(share));
  },
);

test.each([
  { counted: { count: 0, more: false }, text: '0 in total' },
  { counted: { count: 42, more: false }, text: '42 in total' },
  { counted: { count: 10_000, more: true }, text: '10,000 or more in total' },
])('the number of rows is $text', ({ counted, text }) => {
  expect(totalWords(counted)).toBe(text);
});
