import { expect, test } from 'vitest';
import { type Execution, isFailed, spansOf, storyOf, titleOf } from './story.ts';

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
  attempts: 1,
  refreshed: false,
  upstreamMs: 120,
  waitedMs: 50,
};

test('says where the time went, one part after the other', () => {
  expect(spansOf(execution)).toEqual([
    { kind: 'waited', title: 'Waiting for its turn in this service', ms: 50, from: 0 },
    { kind: 'own', title: 'In this service', ms: 30, from: 50 },
    { kind: 'upstream', title: 'At the upstream service', ms: 120, from: 80 },
  ]);
});

test('gives all the time to this service when nothing was sent', () => {
  const { upstreamMs: _, waitedMs: __, ...refused } = execution;
  expect(spansOf({ ...refused, attempts: 0, durationMs: 3 })).toMatchObject([
    { kind: 'own', ms: 3, from: 0 },
  ]);
  expect(storyOf({ ...refused, attempts: 0 })[0]).toBe('Nothing was sent to the upstream service.');
});

test('never shows less than no time', () => {
  expect(spansOf({ ...execution, durationMs: 100 }).find(({ kind }) => kind === 'own')?.ms).toBe(0);
});

test('tells of a renewed credential and of how much was sent', () => {
  expect(storyOf({ ...execution, refreshed: true, attempts: 3, upstreamStatus: 503 })).toEqual([
    'The credential of the account was renewed first.',
    '3 requests were sent to the upstream service: the tool takes several, or one was repeated.',
    'Its last status was 503.',
  ]);
  expect(storyOf(execution)[0]).toBe('One request was sent to the upstream service.');
});

test('calls what ran by its name, and failed what failed', () => {
  expect(titleOf(execution)).toBe('calendar_list_events');
  expect(titleOf({ kind: 'proxy', method: 'GET' })).toBe('GET request through the proxy');
  expect(isFailed(execution)).toBe(false);
  expect(isFailed({ status: 404 })).toBe(true);
  expect(isFailed({ status: 200, errorCode: 'connection_failed' })).toBe(true);
});
