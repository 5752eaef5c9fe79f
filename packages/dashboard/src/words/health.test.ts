import { expect, test } from 'vitest';
import { problemsOf } from './health.ts';

const migrations = (...pending: string[]) => ({ migrations: { pending } });
const WELL = { database: migrations(), executions: { written: 5, dropped: 0, waiting: 3 } };

test('says nothing of a service that is well', () => {
  expect(problemsOf(WELL)).toEqual([]);
});

test.each([
  { title: 'a pending migration', given: { ...WELL, database: migrations('002_next') }, said: [/002_next/] },
  {
    title: 'an execution that was given up',
    given: { ...WELL, executions: { ...WELL.executions, dropped: 1 } },
    said: [/^1 execution was not recorded/],
  },
  {
    title: 'many that wait',
    given: { ...WELL, executions: { ...WELL.executions, waiting: 12_000 } },
    said: [/^12,000 executions wait/],
  },
  {
    title: 'several at once, the worst first',
    given: { database: migrations('002_next'), executions: { written: 0, dropped: 2, waiting: 12_000 } },
    said: [/^The database lacks 1 migration/, /^2 executions were/, /^12,000 executions wait/],
  },
])('says $title in sentences, with what to do', ({ given, said }) => {
  const problems = problemsOf(given);
  expect(problems.map(({ what }) => what)).toEqual(said.map((words) => expect.stringMatching(words)));
  for (const { what, toDo } of problems) expect(`${what} ${toDo}`).toMatch(/^[A-Z0-9].+\. [A-Z].+\.$/);
});
