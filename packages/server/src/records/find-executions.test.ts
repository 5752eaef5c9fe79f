import { expect, test } from 'vitest';
import { EXECUTION } from '../../test/support/databases/sample-rows.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { MAX_SEARCHED_EXECUTIONS } from '../storage/executions-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import { createExecutionLog, type ExecutionFilter } from './execution-log.js';

/** Creates a user with two accounts, and another user with one account. */
async function createUsers() {
  const { storage, accounts, applicationId } = await createTenant();
  const add = (identifier: string, account = '') =>
    accounts.getOrCreate(applicationId, { connectionName: 'mail', identifier, account });
  const ids = [await add('ada'), await add('ada', 'work'), await add('grace')].map(
    ({ account }) => account.id,
  );
  const log = createExecutionLog({
    storage,
    onError: (error) => expect.unreachable(String(error)),
    onDropped: () => expect.unreachable(),
  });
  const insert = async (rows: readonly (Partial<ExecutionRow> & { readonly of: number })[]) => {
    const all = rows.map(({ of, ...row }, index) => ({
      ...EXECUTION,
      applicationId,
      accountId: ids[of] ?? '',
      id: `exec_${String(index).padStart(6, '0')}`,
      startedAt: index,
      ...row,
    }));
    for (let first = 0; first < all.length; first += 1000)
      await storage.executions.insert(all.slice(first, first + 1000));
  };
  /** Reads all pages of a list. Returns the numbers of the listed executions. */
  async function readAll(filter: ExecutionFilter): Promise<readonly number[]> {
    const numbers: number[] = [];
    let pageToken: string | undefined;
    do {
      const page = await log.list(applicationId, { ...filter, pageToken });
      numbers.push(...page.items.map(({ id }) => Number(id.slice(5))));
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    return numbers;
  }
  return { insert, readAll, log, applicationId };
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

test('the executions of a user are those of all accounts, in order and without gaps', async () => {
  const { insert, readAll } = await createUsers();
  await insert(upTo(60).map((index) => ({ of: index % 3, startedAt: Math.floor(index / 4) })));
  const own = upTo(60).filter((index) => index % 3 !== 2);
  for (const pageSize of [1, 7, 200]) {
    expect(await readAll({ identifier: 'ada', pageSize, order: 'oldest' })).toEqual(own);
    expect(await readAll({ identifier: 'ada', pageSize })).toEqual(own.toReversed());
  }
  expect(await readAll({ identifier: 'nobody' })).toEqual([]);
});

test('F5: rare executions of a user are found after any number of other executions', async () => {
  const { insert, readAll } = await createUsers();
  const count = MAX_SEARCHED_EXECUTIONS + 1000;
  const rare = [0, 500, count - 1];
  await insert(
    upTo(count).map((index) => ({
      of: index % 100 === 0 || index === count - 1 ? 0 : 1,
      status: rare.includes(index) ? 500 : 200,
    })),
  );
  const expected = rare.toReversed();
  expect(await readAll({ identifier: 'ada', failed: true, pageSize: 2 })).toEqual(expected);
  expect(await readAll({ identifier: 'ada', failed: true, pageSize: 2, order: 'oldest' })).toEqual(rare);
});

test('statistics with filters count the matching executions, and say if they did not count all', async () => {
  const { insert, log, applicationId } = await createUsers();
  const start = Date.parse('2026-11-20T12:00:00Z');
  const count = MAX_SEARCHED_EXECUTIONS + 10;
  await insert(upTo(count).map((index) => ({ of: index < 10 ? 2 : 0, startedAt: start + index })));
  const range = { from: '2026-11-20T11:00:00Z', to: '2026-11-20T13:00:00Z' };
  const ofGrace = await log.statistics(applicationId, { ...range, identifier: 'grace' });
  expect(ofGrace.points.reduce((sum, { calls }) => sum + calls, 0)).toBe(10);
  expect(ofGrace).not.toHaveProperty('countedFrom');
  const ofTool = await log.statistics(applicationId, { ...range, toolName: 'mail_send' });
  expect(ofTool.points.reduce((sum, { calls }) => sum + calls, 0)).toBe(MAX_SEARCHED_EXECUTIONS);
  expect(ofTool.countedFrom).toBe(new Date(start + 10).toISOString());
});
