import { expect, test } from 'vitest';
import { describeSteps, type Execution, isFailed, spansOf, titleOf } from './timeline.ts';

const execution: Execution = {
  id: 'exec_1',
  accountId: 'acct_1',
  connectionName: 'calendar',
  kind: 'tool',
  toolName: 'calendar_list_events',
  status: 200,
  upstreamStatus: 200,
  durationMs: 200,
  startedAt: '2026-11-22T12:00:00Z',
  requestId: 'req_1',
  serviceVersion: '1.0.0',
  count: 1,
  attempts: 1,
  refreshed: false,
  upstreamMs: 120,
  waitedMs: 50,
};

test('the phases of a call follow each other', () => {
  expect(spansOf(execution)).toEqual([
    { kind: 'waited', title: 'Queue time in this service', ms: 50, from: 0 },
    { kind: 'own', title: 'Time in this service', ms: 30, from: 50 },
    { kind: 'upstream', title: 'Time at the upstream', ms: 120, from: 80 },
  ]);
});

test('a call without upstream requests spent all its time in this service', () => {
  const { upstreamMs: _, waitedMs: __, ...refused } = execution;
  expect(spansOf({ ...refused, attempts: 0, durationMs: 3 })).toMatchObject([
    { kind: 'own', ms: 3, from: 0 },
  ]);
  expect(describeSteps({ ...refused, attempts: 0 })[0]).toBe('No request was sent to the upstream.');
});

test('the time in this service is never negative', () => {
  expect(spansOf({ ...execution, durationMs: 100 }).find(({ kind }) => kind === 'own')?.ms).toBe(0);
});

test('the steps include a token refresh, the number of requests and the last status', () => {
  expect(describeSteps({ ...execution, refreshed: true, attempts: 3, upstreamStatus: 503 })).toEqual([
    'The service refreshed the access token of the account before the call.',
    '3 requests were sent to the upstream, because the tool sends several requests or the service retried a request.',
    'The last upstream status was 503.',
  ]);
  expect(describeSteps(execution)[0]).toBe('One request was sent to the upstream.');
});

test('a call has a title, and fails with an error status or an error code', () => {
  expect(titleOf(execution)).toBe('calendar_list_events');
  expect(titleOf({ kind: 'proxy', method: 'GET' })).toBe('GET proxy request');
  expect(isFailed(execution)).toBe(false);
  expect(isFailed({ status: 404 })).toBe(true);
  expect(isFailed({ status: 200, errorCode: 'connection_failed' })).toBe(true);
});
