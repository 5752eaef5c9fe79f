import { expect, test } from 'vitest';
import { parseMetrics } from '../../test/support/requests/prometheus.js';
import { createRegistry } from './registry.js';

test('label values are escaped', () => {
  const registry = createRegistry();
  const value = 'a"b\\c\nd{e="f"} 1\\n';
  registry.counter({ name: 'a_total', help: 'A.', labels: ['x', 'y'] })(value, 'z').value += 2;
  expect(parseMetrics(registry.text())).toEqual([
    { name: 'a_total', labels: { x: value, y: 'z' }, value: 2 },
  ]);
});

test('a histogram counts a value in the first bucket whose bound it does not exceed', () => {
  const registry = createRegistry();
  const histogram = registry.histogram({ name: 'h_seconds', help: 'H.', bounds: [0.1, 1] })();
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(value);
  expect(registry.text()).toBe(
    [
      '# HELP h_seconds H.',
      '# TYPE h_seconds histogram',
      'h_seconds_bucket{le="0.1"} 2',
      'h_seconds_bucket{le="1"} 3',
      'h_seconds_bucket{le="+Inf"} 4',
      'h_seconds_sum 7.65',
      'h_seconds_count 4',
      '',
    ].join('\n'),
  );
});

test('a metric without samples is left out', () => {
  const registry = createRegistry();
  registry.counter({ name: 'a_total', help: 'A.', labels: ['x'] });
  registry.readAtScrape({ name: 'b', help: 'B.', kind: 'gauge', read: () => [] });
  expect(registry.text()).toBe('');
});
