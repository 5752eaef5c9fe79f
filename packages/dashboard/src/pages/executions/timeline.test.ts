import { expect, test } from 'vitest';
import {
  describeSteps,
  type Execution,
  isFailed,
  isWaiting,
  outcomeOf,
  spansOf,
  titleOf,
} from './timeline.ts';

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
  expect(spansOf({ ...execution, durationMs: 1700, pausedMs: 1500 })).toEqual([
    { kind: 'waited', title: 'Queue time in this service', ms: 50, from: 0 },
    {
      kind: 'own',
      title: 'Work in this service, including the transfer of request and response bodies',
      ms: 30,
      from: 50,
    },
    { kind: 'paused', title: 'Pauses before retries', ms: 1500, from: 80 },
    { kind: 'upstream', title: 'Wait for the upstream’s responses', ms: 120, from: 1580 },
  ]);
});

test('a call without upstream requests spent all its time in this service', () => {
  const { upstreamMs: _, waitedMs: __, ...refused } = execution;
  expect(spansOf({ ...refused, attempts: 0, durationMs: 3 })).toMatchObject([
    { kind: 'own', ms: 3, from: 0 },
  ]);
  expect(describeSteps({ ...refused, attempts: 0 })[0]).toBe('No request was sent to the upstream.');
});

const sent = (failure: string) => ({ ms: 1, pauseMs: 0, failure });

test.each([
  { attempts: 1, requests: [sent('closed')], said: 'One request was sent to the upstream.' },
  { attempts: 1, requests: [sent('refused')], said: 'The only request did not reach the upstream.' },
  {
    attempts: 2,
    requests: [sent('refused'), sent('unknown_host')],
    said: 'None of the 2 requests reached the upstream.',
  },
  {
    attempts: 2,
    requests: [sent('refused'), { ms: 1, pauseMs: 900, status: 200 }],
    said: expect.stringMatching(/^2 requests .+ 1 of them did not reach the upstream\.$/),
  },
])('the steps of requests $requests say: $said', ({ attempts, requests, said }) => {
  expect(describeSteps({ ...execution, attempts, requests })[0]).toEqual(said);
});

test('a request is described by its status or the reason of its failure', () => {
  expect(outcomeOf({ ms: 1, pauseMs: 0, status: 503 })).toBe('Status 503');
  expect(outcomeOf(sent('timeout'))).toBe('No response: the upstream did not respond in time');
  expect(outcomeOf(sent('constructor'))).toBe('No response: constructor');
});

test('the steps tell how many equal calls an execution stands for', () => {
  expect(describeSteps({ ...execution, count: 9 })[0]).toBe(
    'The service refused 9 equal calls within one minute. This page shows the details of the first call.',
  );
});

test('a call that waits for an approval has not failed', () => {
  expect(isFailed({ status: 403, errorCode: 'approval_required' })).toBe(false);
  expect(isWaiting({ errorCode: 'approval_required' })).toBe(true);
  expect(isFailed({ status: 403, errorCode: 'approval_denied' })).toBe(true);
});

test('the time in this service is never negative', () => {
  expect(spansOf({ ...execution, durationMs: 100 }).find(({ kind }) => kind === 'own')?.ms).toBe(0);
});

test('the steps include a token refresh, the number of requests and the last status', () => {
  expect(describeSteps({ ...execution, refreshed: true, attempts: 3, upstreamStatus: 503 })).toEqual([
    'The service refreshed the access token of the account.',
    '3 requests were sent to the upstream, because the tool sends several requests or the service repeated a request.',
    'The last upstream status was 503.',
  ]);
  expect(describeSteps(execution)[0]).toBe('One request was sent to the upstream.');
});

test('a call has a title, and fails with an error status or an error code', () => {
  expect(titleOf(execution)).toBe('calendar_list_events');
  expect(titleOf({ kind: 'proxy', method: 'GET' })).toBe('GET proxy request');
  expect(titleOf({ kind: 'proxy', method: 'GET', path: '/users/{id}' })).toBe('GET /users/{id}');
  expect(isFailed(execution)).toBe(false);
  expect(isFailed({ status: 404 })).toBe(true);
  expect(isFailed({ status: 200, errorCode: 'connection_failed' })).toBe(true);
});
