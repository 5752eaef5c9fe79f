import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { addExecutions } from '../../test/support/databases/add-executions.js';
import { EXECUTION } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { ServiceError } from '../errors.js';
import { MAX_SEARCHED_EXECUTIONS } from '../storage/executions-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import { createExecutionLog } from './execution-log.js';
import { MAX_WAITING } from './write-behind.js';

async function createLog() {
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'Acme');
  const errors: unknown[] = [];
  const dropped: number[] = [];
  const log = createExecutionLog({
    storage: parts.storage,
    onError: (error) => errors.push(error),
    onDropped: (count) => dropped.push(count),
  });
  const execution = (change: Partial<ExecutionRow> = {}): ExecutionRow => ({
    ...EXECUTION,
    id: `exec_${randomBytes(6).toString('hex')}`,
    applicationId,
    startedAt: parts.clock.now(),
    ...change,
  });
  const stored = () => parts.database.selectFrom('executions').selectAll().execute();
  return { ...parts, applicationId, errors, dropped, log, execution, stored };
}

test('the log lists executions newest first as soon as they are recorded', async () => {
  const { log, execution, applicationId } = await createLog();
  const proxy = {
    kind: 'proxy',
    toolName: null,
    method: 'GET',
    status: 502,
    errorCode: 'connection_failed',
    upstreamStatus: null,
  } as const;
  log.record(execution({ id: 'exec_1', startedAt: 1000 }));
  log.record(execution({ id: 'exec_2', startedAt: 2000, ...proxy }));
  const { items } = await log.list(applicationId, {});
  const common = {
    accountId: 'acct_1',
    connectionName: 'mail',
    durationMs: 12,
    requestId: 'req_1',
    serviceVersion: '0.0.0',
    count: 1,
  };
  expect(items).toEqual([
    {
      id: 'exec_2',
      ...common,
      kind: 'proxy',
      method: 'GET',
      status: 502,
      errorCode: 'connection_failed',
      startedAt: '1970-01-01T00:00:02.000Z',
    },
    {
      id: 'exec_1',
      ...common,
      kind: 'tool',
      toolName: 'mail_send',
      status: 200,
      upstreamStatus: 200,
      startedAt: '1970-01-01T00:00:01.000Z',
    },
  ]);
});

test('the log pages through equal times without gaps or duplicates', async () => {
  const { log, execution, applicationId } = await createLog();
  for (let at = 0; at < 25; at += 1) log.record(execution({ startedAt: Math.floor(at / 10) }));
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await log.list(applicationId, { pageSize: 7, pageToken });
    ids.push(...page.items.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  expect(ids).toHaveLength(25);
  expect(new Set(ids).size).toBe(25);
});

test.each([
  { filter: { connectionName: 'files' }, ids: ['exec_2'] },
  { filter: { toolName: 'mail_read' }, ids: ['exec_3'] },
  { filter: { status: 404 }, ids: ['exec_4'] },
  { filter: { traceId: 'f'.repeat(32) }, ids: ['exec_4'] },
  { filter: { toolName: 'mail_send', status: 200, connectionName: 'mail' }, ids: ['exec_1'] },
])('the log filters by $filter', async ({ filter, ids }) => {
  const { log, execution, applicationId } = await createLog();
  log.record(execution({ id: 'exec_1' }));
  log.record(execution({ id: 'exec_2', connectionName: 'files' }));
  log.record(execution({ id: 'exec_3', toolName: 'mail_read' }));
  log.record(execution({ id: 'exec_4', status: 404, traceId: 'f'.repeat(32) }));
  expect((await log.list(applicationId, filter)).items.map(({ id }) => id)).toEqual(ids);
});

test('F5: a page of rare executions searches 10,000 rows and can be continued', async () => {
  const { log, execution, applicationId, storage, clock } = await createLog();
  const rare = [clock.now() - 1, clock.now() + 2 * MAX_SEARCHED_EXECUTIONS];
  for (const startedAt of rare) log.record(execution({ startedAt, status: 500 }));
  await addExecutions(storage, applicationId, 2 * MAX_SEARCHED_EXECUTIONS);
  const pages: number[][] = [];
  let pageToken: string | undefined;
  do {
    const page = await log.list(applicationId, { status: 500, pageSize: 1, pageToken });
    pages.push(page.items.map(({ startedAt }) => Date.parse(startedAt)));
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  expect(pages).toEqual([[rare[1]], [], [rare[0]]]);
});

test('F5: a page with any filter without an index stops after 10,000 rows', async () => {
  const { log, applicationId, storage } = await createLog();
  await addExecutions(storage, applicationId, MAX_SEARCHED_EXECUTIONS);
  const filters = [
    { connectionName: 'none' },
    { toolName: 'none' },
    { status: 599 },
    { traceId: 'none' },
    { failed: true },
  ];
  for (const filter of filters) {
    const page = { items: [], nextPageToken: expect.any(String) };
    expect(await log.list(applicationId, filter), JSON.stringify(filter)).toEqual(page);
  }
});

test('the executions of another application are not listed', async () => {
  const { log, execution, ...parts } = await createLog();
  log.record(execution());
  expect(await log.list(await addApplication(parts, 'Other'), {})).toEqual({ items: [] });
});

test('the log writes 500 rows at once, fewer after 100 ms, and the rest when it closes', async () => {
  const { log, execution, storage, stored } = await createLog();
  const transaction = vi.spyOn(storage, 'transaction');
  for (let at = 0; at < 500; at += 1) log.record(execution());
  await expect.poll(stored).toHaveLength(500);
  log.record(execution());
  await expect.poll(stored).toHaveLength(501);
  log.record(execution());
  await log.close();
  expect(await stored()).toHaveLength(502);
  expect(transaction).toHaveBeenCalledTimes(3);
});

test('recording never throws: refused rows are reported, and later rows are written', async () => {
  const { log, execution, errors, dropped, stored } = await createLog();
  log.record(execution({ applicationId: 'app_none' }));
  await log.close();
  expect(errors).toHaveLength(1);
  expect(dropped).toEqual([1]);
  log.record(execution());
  await log.close();
  expect(await stored()).toHaveLength(1);
  expect(log.counts()).toEqual({ written: 1, dropped: 1, waiting: 0 });
});

test('F5: a fault in the rows of one application drops only its rows', async () => {
  const { log, execution, dropped, stored, ...parts } = await createLog();
  const other = await addApplication(parts, 'Other');
  for (let at = 0; at < 50; at += 1) {
    log.record(execution());
    log.record(execution({ applicationId: 'app_gone' }));
    log.record(execution({ applicationId: other }));
  }
  await log.close();
  expect(await stored()).toHaveLength(100);
  expect(dropped).toEqual([50]);
});

test('F5: deleting a busy application loses no rows of others', async () => {
  const { log, execution, applicationId, stored, storage, ...parts } = await createLog();
  const other = await addApplication({ storage, ...parts }, 'Other');
  for (let round = 0; round < 40; round += 1) {
    for (let at = 0; at < 10; at += 1) log.record(execution());
    for (let at = 0; at < 10; at += 1) log.record(execution({ applicationId: other }));
    if (round === 10) void storage.applications.delete(other);
    if (round % 4 === 0) await setImmediate();
  }
  await log.close();
  const rows = await stored();
  expect(rows.filter((row) => row.applicationId === applicationId)).toHaveLength(400);
  expect(rows).toHaveLength(400);
});

const down = () => new ServiceError('unavailable', 'The database cannot be reached.');

test('F5: a limited number of executions waits for the database, with space for every application', async () => {
  const { log, execution, storage, errors, dropped, stored, applicationId, ...parts } = await createLog();
  const quiet = await addApplication({ storage, ...parts }, 'Quiet');
  const transaction = vi.spyOn(storage, 'transaction').mockRejectedValue(down());
  for (let at = 0; at < 2 * MAX_WAITING; at += 1) log.record(execution());
  const waiting = log.counts().waiting;
  expect(waiting).toBe(MAX_WAITING / 2);
  log.record(execution({ applicationId: quiet }));
  expect(log.counts()).toEqual({ written: 0, dropped: 2 * MAX_WAITING - waiting, waiting: waiting + 1 });
  await expect.poll(() => dropped).toEqual([2 * MAX_WAITING - waiting]);
  expect(errors).toHaveLength(1);

  transaction.mockRestore();
  await log.list(applicationId, {});
  expect(await stored()).toHaveLength(waiting + 1);
  expect(log.counts()).toMatchObject({ written: waiting + 1, waiting: 0 });
});

test('F6: a batch with an unknown outcome is written once', async () => {
  const { log, execution, storage, stored, applicationId } = await createLog();
  const { transaction } = storage;
  vi.spyOn(storage, 'transaction').mockImplementationOnce(async (work) => {
    await transaction(work);
    throw down();
  });
  for (let at = 0; at < 20; at += 1) log.record(execution());
  await log.list(applicationId, {});
  expect(log.counts().waiting).toBe(20);
  for (let at = 0; at < 3; at += 1) log.record(execution());
  await log.close();
  expect(await stored()).toHaveLength(23);
  expect(log.counts()).toEqual({ written: 23, dropped: 0, waiting: 0 });
  const { points } = await log.statistics(applicationId, { from: '2020-01-01', to: '2100-01-01' });
  expect(points.reduce((sum, { calls }) => sum + calls, 0)).toBe(23);
});

test('rows that remain when the service stops without its database are reported', async () => {
  const { log, execution, storage, dropped } = await createLog();
  vi.spyOn(storage, 'transaction').mockRejectedValue(down());
  for (let at = 0; at < 7; at += 1) log.record(execution());
  await log.close();
  expect(dropped).toEqual([7]);
});
