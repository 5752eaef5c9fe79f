import { expect, test } from 'vitest';
import { createBoundedSeries } from './bounded-series.js';

test('F5: label values beyond the maximum share the series of "other"', () => {
  const created: string[] = [];
  const seriesOf = createBoundedSeries(2, (key, group) => {
    created.push(`${group} ${key}`);
    return { key };
  });
  const found = ['a', 'b', 'c', 'd', 'a'].map((key) => seriesOf(key, 'g').key);
  expect(found).toEqual(['a', 'b', 'other', 'other', 'a']);
  expect(created).toEqual(['g a', 'g b', 'other other']);
});
