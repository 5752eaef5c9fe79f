import { expect, test } from 'vitest';
import { FILTERS, type Filters, listQuery, readFilters } from './filters.ts';

const now = new Date('2026-11-22T12:00:00Z');
const nothing = Object.fromEntries(FILTERS.map((name) => [name, ''])) as Filters;
const queryOf = (query: Partial<Filters>) => listQuery(readFilters({ ...nothing, ...query }), now);

test('the default range is the last 24 hours', () => {
  expect(queryOf({})).toEqual({ since: '2026-11-21T12:00:00.000Z' });
});

test('the query contains the filters of the URL', () => {
  expect(
    queryOf({
      connectionName: 'calendar',
      toolName: 'calendar_get_event_by_id',
      traceId: 'f'.repeat(32),
      outcome: 'failed',
      range: '1h',
    }),
  ).toEqual({
    connectionName: 'calendar',
    toolName: 'calendar_get_event_by_id',
    traceId: 'f'.repeat(32),
    failed: true,
    since: '2026-11-22T11:00:00.000Z',
  });
  expect(queryOf({ outcome: '429' })).toMatchObject({ status: 429 });
});

test('a custom range without a start begins 24 hours before its end', () => {
  const until = '2026-11-20T00:00:00Z';
  expect(queryOf({ range: 'own', since: '2026-11-19T06:00:00Z', until })).toEqual({
    since: '2026-11-19T06:00:00.000Z',
    until: '2026-11-20T00:00:00.000Z',
  });
  expect(queryOf({ range: 'own', until })).toMatchObject({ since: '2026-11-19T00:00:00.000Z' });
});

test('invalid filters in the URL are ignored', () => {
  expect(queryOf({ range: 'x', outcome: '99x', since: 'never', until: 'x' })).toEqual({
    since: '2026-11-21T12:00:00.000Z',
  });
  expect(queryOf({ range: 'own', since: 'never' })).toEqual({ since: '2026-11-21T12:00:00.000Z' });
});
