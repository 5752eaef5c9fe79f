import { expect, test } from 'vitest';
import { daysOf, sizeOf, tableTitle } from './health.tsx';

test.each([
  { bytes: 0, said: '0 B' },
  { bytes: 999, said: '999 B' },
  { bytes: 4096, said: '4.1 kB' },
  { bytes: 12_345_678_901, said: '12.3 GB' },
])('$bytes bytes are formatted as $said', ({ bytes, said }) => {
  expect(sizeOf(bytes)).toBe(said);
});

test('table names and retention times are shown in words', () => {
  expect(tableTitle('audit_events')).toBe('Audit events');
  expect([1, 400].map(daysOf)).toEqual(['1 day', '400 days']);
});
