import { expect, test } from 'vitest';
import { EXECUTION } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import type { ExecutionRow } from '../storage/schema.js';
import { createExecutionLog } from './execution-log.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;

async function createLog() {
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'Acme');
  const log = createExecutionLog({
    storage: parts.storage,
    onError: (error) => expect.unreachable(String(error)),
    onDropped: () => expect.unreachable(),
  });
  let ran = 0;
  const record = (change: Partial<ExecutionRow>) => {
    ran += 1;
    log.record({ ...EXECUTION, applicationId, id: `exec_${ran}`, startedAt: NOON, ...change });
  };
  return { ...parts, applicationId, log, record };
}

test('the statistics count calls, errors and durations in steps of at least five minutes', async () => {
  const { log, record, applicationId } = await createLog();
  for (const durationMs of [1, 40, 40, 60, 900]) record({ durationMs });
  record({ startedAt: NOON + 5 * MINUTE_MS, status: 404 });
  record({ startedAt: NOON + 6 * MINUTE_MS, errorCode: 'connection_failed', connectionName: 'files' });
  const range = { from: '2026-11-20T11:57:00Z', to: '2026-11-20T12:10:00Z' };
  const { stepSeconds, points } = await log.statistics(applicationId, range);
  expect(stepSeconds).toBe(300);
  expect(points).toMatchObject([
    { at: '2026-11-20T11:55:00.000Z', calls: 0, errors: 0, p50Ms: null, p95Ms: null },
    { at: '2026-11-20T12:00:00.000Z', calls: 5, errors: 0, p50Ms: 43, p95Ms: 875 },
    { at: '2026-11-20T12:05:00.000Z', calls: 2, errors: 2 },
  ]);
  const files = await log.statistics(applicationId, { ...range, connectionName: 'files' });
  expect(files.points.map(({ calls }) => calls)).toEqual([0, 0, 1]);
});

test.each([
  { days: 0.5, stepSeconds: 300 },
  { days: 1, stepSeconds: 600 },
  { days: 14, stepSeconds: 7200 },
  { days: 365, stepSeconds: 172_800 },
  { days: 366 * 200, stepSeconds: 368 * 86_400 },
])(
  'the statistics have at most 200 points for $days days and miss no call',
  async ({ days, stepSeconds }) => {
    const { log, record, applicationId } = await createLog();
    const lengthMs = days * 24 * 60 * MINUTE_MS;
    for (let at = 0; at < 20; at += 1) record({ startedAt: NOON - Math.floor((at * lengthMs) / 20) });
    const from = new Date(NOON - lengthMs).toISOString();
    const statistics = await log.statistics(applicationId, { from, to: '2026-11-20T12:00:01Z' });
    expect(statistics.stepSeconds).toBe(stepSeconds);
    expect(statistics.points.length).toBeLessThanOrEqual(200);
    expect(statistics.points.reduce((sum, { calls }) => sum + calls, 0)).toBe(20);
  },
);

test('the statistics sum the rows of several batches and processes', async () => {
  const { log, record, applicationId, storage } = await createLog();
  const other = createExecutionLog({ storage, onError: () => undefined, onDropped: () => undefined });
  for (let at = 0; at < 1200; at += 1) record({});
  for (let at = 0; at < 300; at += 1)
    other.record({ ...EXECUTION, applicationId, id: `exec_other_${at}`, startedAt: NOON });
  await other.close();
  const range = { from: '2026-11-20T12:00:00Z', to: '2026-11-20T12:05:00Z' };
  expect((await log.statistics(applicationId, range)).points).toMatchObject([{ calls: 1500 }]);
});

test('the calls of another application are not counted', async () => {
  const { log, record, ...parts } = await createLog();
  record({});
  const other = await addApplication(parts, 'Other');
  const { points } = await log.statistics(other, { from: '2026-11-20', to: '2026-11-21' });
  expect(points.every(({ calls }) => calls === 0)).toBe(true);
});

test.each([
  { from: '2026-11-21', to: '2026-11-20', message: /"from" is not before/ },
  { from: 'yesterday', to: '2026-11-20', message: /"yesterday" is not a date or time/ },
])('the range from $from to $to is refused', async ({ message, ...range }) => {
  const { log, applicationId } = await createLog();
  await expect(log.statistics(applicationId, range)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  });
});
