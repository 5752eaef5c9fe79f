import { expect, test } from 'vitest';
import { compareValues } from './compare-values.ts';

test('values of a column are sorted by size, without regard to case, and absent values first', () => {
  expect([10, 9, 100].sort(compareValues)).toEqual([9, 10, 100]);
  expect(['b', null, 'C', 'a'].toSorted(compareValues)).toEqual([null, 'a', 'b', 'C']);
  const rows = [{ at: 'b' }, { at: undefined }, { at: 'a' }];
  expect(rows.toSorted((one, other) => compareValues(one.at, other.at)).map(({ at }) => at)).toEqual([
    undefined,
    'a',
    'b',
  ]);
});
