import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { addApplication, createServiceParts } from '../../test/support/service-parts.js';
import type { ExecutionRow } from '../storage/schema.js';
import { createExecutionLog } from './execution-log.js';

async function createLog() {
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'Acme');
  const errors: unknown[] = [];
  const log = createExecutionLog({ storage: parts.storage, onError: (error) => errors.push(error) });
  const execution = (change: Partial<ExecutionRow> = {}): ExecutionRow => ({
    id: `exec_${randomBytes(6).toString('hex')}`,
    applicationId,
    accountId: 'acct_1',
    connectionName: 'mail',
    kind: 'tool',
    toolName: 'mail_send',
    method: null,
    status: 200,
    errorCode: null,
    upstreamStatus: 200,
    durationMs: 12,
    startedAt: parts.clock.now(),
    requestId: 'req_1',
    ...change,
  });
  const stored = () => parts.database.selectFrom('executions').selectAll().execute();
  return { ...parts, applicationId, errors, log, execution, stored };
}

test('shows what ran, newest first, as soon as it is recorded', async () => {
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
  const common = { accountId: 'acct_1', connectionName: 'mail', durationMs: 12, requestId: 'req_1' };
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

test('pages through equal times without losing or repeating one', async () => {
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
  { filter: { toolName: 'mail_send', status: 200, connectionName: 'mail' }, ids: ['exec_1'] },
])('filters by $filter', async ({ filter, ids }) => {
  const { log, execution, applicationId } = await createLog();
  log.record(execution({ id: 'exec_1' }));
  log.record(execution({ id: 'exec_2', connectionName: 'files' }));
  log.record(execution({ id: 'exec_3', toolName: 'mail_read' }));
  log.record(execution({ id: 'exec_4', status: 404 }));
  expect((await log.list(applicationId, filter)).items.map(({ id }) => id)).toEqual(ids);
});

test("does not show another application's executions", async () => {
  const { log, execution, ...parts } = await createLog();
  log.record(execution());
  expect(await log.list(await addApplication(parts, 'Other'), {})).toEqual({ items: [] });
});

test('writes 200 rows at once, others after 100 ms, and the rest when it is closed', async () => {
  const { log, execution, storage, stored } = await createLog();
  const insert = vi.spyOn(storage.executions, 'insert');
  for (let at = 0; at < 200; at += 1) log.record(execution());
  await expect.poll(stored).toHaveLength(200);
  log.record(execution());
  await expect.poll(stored).toHaveLength(201);
  log.record(execution());
  await log.close();
  expect(await stored()).toHaveLength(202);
  expect(insert.mock.calls.map(([rows]) => rows.length)).toEqual([200, 1, 1]);
});

test('never throws: what cannot be written is reported, and the next rows are written', async () => {
  const { log, execution, errors, stored } = await createLog();
  log.record(execution({ applicationId: 'app_none' }));
  await log.close();
  expect(errors).toHaveLength(1);
  log.record(execution());
  await log.close();
  expect(await stored()).toHaveLength(1);
});
