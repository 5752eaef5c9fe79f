import { expect, test } from 'vitest';
import { daysOf, sizeOf, tableTitle } from './health.tsx';

test.each([
  { bytes: 0, text: '0 B' },
  { bytes: 999, text: '999 B' },
  { bytes: 4096, text: '4.1 kB' },
  { bytes: 12_345_678_901, text: '12.3 GB' },
])('$bytes bytes are formatted as $text', ({ bytes, text }) => {
  expect(sizeOf(bytes)).toBe(text);
});

test('table names and retention times are shown in words', () => {
  expect(tableTitle('audit_events')).toBe('Audit events');
  expect([1, 400].map(daysOf)).toEqual(['1 day', '400 days']);
});
