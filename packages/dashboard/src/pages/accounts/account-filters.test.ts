import { expect, test } from 'vitest';
import { queryOf } from './account-filters.tsx';

const NONE = { identifier: '', exact: '', order: '', connectionName: '', status: '' };
const UNFILTERED = { identifier: '', connectionName: '' };

test.each([
  { status: '', query: {} },
  { status: 'authorized', query: { status: 'authorized' } },
  { status: 'not_tested', query: { notTested: true, refreshFailing: false } },
  { status: 'refresh_failing', query: { refreshFailing: true } },
  { status: 'invented', query: {} },
])('the state "$status" in the URL becomes a filter of the list', ({ status, query }) => {
  expect(queryOf({ ...NONE, status })).toEqual({ ...UNFILTERED, ...query });
});
