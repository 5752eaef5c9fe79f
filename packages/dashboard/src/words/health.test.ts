import { expect, test } from 'vitest';
import { problemsOf } from './health.ts';

const migrations = (...pending: string[]) => ({ migrations: { pending } });
const instance = (dropped: number, waiting: number) => ({ executions: { dropped, waiting } });
const HEALTHY = { database: migrations(), instances: [instance(0, 3)] };

test('a healthy service has no problems', () => {
  expect(problemsOf({ health: HEALTHY })).toEqual([]);
  expect(problemsOf({ health: undefined })).toEqual([]);
});

test.each([
  {
    title: 'a pending migration',
    health: { ...HEALTHY, database: migrations('002_next') },
    expected: [/002_next/],
  },
  {
    title: 'a dropped execution',
    health: { ...HEALTHY, instances: [instance(1, 0)] },
    expected: [/^1 execution was not recorded/],
  },
  {
    title: 'many waiting executions',
    health: { ...HEALTHY, instances: [instance(0, 12_000)] },
    expected: [/^12,000 executions are waiting/],
  },
  {
    title: 'the executions of all instances',
    health: { ...HEALTHY, instances: [instance(0, 3000), instance(2, 3000)] },
    expected: [/^2 executions were not recorded/, /^6,000 executions are waiting/],
  },
  {
    title: 'several problems, the most severe first',
    health: { database: migrations('002_next'), instances: [instance(2, 12_000)] },
    expected: [/^The database needs 1 migration/, /^2 executions were/, /^12,000 executions are waiting/],
  },
  {
    title: 'a slow database',
    health: HEALTHY,
    slowDatabase: { instanceId: 'inst_1', p95Ms: 1200 },
    expected: [/^The database is slow: .* 1,200 ms/],
  },
])('reports $title, with the remedy', ({ health, slowDatabase, expected }) => {
  const problems = problemsOf({ health, ...(slowDatabase && { slowDatabase }) });
  expect(problems.map(({ problem }) => problem)).toEqual(
    expected.map((words) => expect.stringMatching(words)),
  );
  for (const { problem, remedy } of problems)
    expect(`${problem} ${remedy}`).toMatch(/^[A-Z0-9].+\. [A-Z].+\.$/);
});
