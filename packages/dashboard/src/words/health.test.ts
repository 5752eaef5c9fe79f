import { expect, test } from 'vitest';
import { healthProblems } from './health.ts';

const WELL = {
  database: { migrations: { pending: [] } },
  executions: { written: 5, dropped: 0, waiting: 0 },
};

test('says nothing of a service that is well', () => {
  expect(healthProblems(WELL)).toEqual([]);
});

test('says in a sentence each what is not well', () => {
  const problems = healthProblems({
    database: { migrations: { pending: ['later'] } },
    executions: { written: 5, dropped: 2, waiting: 0 },
  });
  expect(problems).toHaveLength(2);
  for (const problem of problems) expect(problem).toMatch(/^[A-Z0-9].+\.$/);
});
