import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases/test-database.js';

test('work under one name runs in order, even after failures', async () => {
  const { lock } = await openTestDatabase();
  const seen: string[] = [];
  const work = (name: string, fails = false) =>
    lock('acct_1', async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const outcomes = await Promise.allSettled([work('first'), work('second', true), work('third')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ]);
});

test('different names do not wait for each other', async () => {
  const { lock } = await openTestDatabase();
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = lock('acct_1', () => promise);
  expect(await lock('acct_2', async () => 'done')).toBe('done');
  resolve();
  await slow;
});
