import { expect, test } from 'vitest';
import { daysOf, tableTitle } from './health.tsx';
import { limitRows } from './instances.tsx';
import { sizeOf } from './sizes.ts';

test.each([
  { bytes: 0, text: '0 B' },
  { bytes: 999, text: '999 B' },
  { bytes: 4096, text: '4.1 kB' },
  { bytes: 12_345_678_901, text: '12.3 GB' },
])('$bytes bytes are formatted as $text', ({ bytes, text }) => {
  expect(sizeOf(bytes)).toBe(text);
});

test('the calls of rate limits are added up for all instances', () => {
  const use = { perSecond: 50, calls: 3, refused: 1 };
  const rateLimits = { application: use, user: use, account: use, address: use };
  expect(limitRows([{ rateLimits }, { rateLimits }])[0]).toEqual({
    name: 'application',
    perSecond: 50,
    calls: 6,
    refused: 2,
  });
});

test('table names and retention times are shown in words', () => {
  expect(tableTitle('audit_events')).toBe('Audit events');
  expect([1, 400].map(daysOf)).toEqual(['1 day', '400 days']);
});
