import { expect, test } from 'vitest';
import type { RecentCalls } from '../storage/execution-statistics-table.js';
import type { ExecutionOutcome } from '../storage/executions-table.js';
import {
  COUNTED_MS,
  type ConnectionHealth,
  connectionHealth,
  type HealthFacts,
} from './connection-health.js';
import type { LiveState } from './instance-report.js';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const iso = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString();
const CONNECTION = { authType: 'oauth2', baseUrl: 'https://api.mail.example', clientId: 'c' } as const;
const PASSED = { at: iso(600), isWorking: true, failedSteps: [] };
const failedTest = (...failedSteps: string[]) => ({
  at: iso(600),
  isWorking: false,
  failedSteps,
  message: 'No.',
});

const outcome = (secondsAgo: number, rest: Partial<ExecutionOutcome> = {}): ExecutionOutcome => ({
  connectionName: 'mail',
  status: 200,
  errorCode: null,
  upstreamStatus: 200,
  startedAt: NOW - secondsAgo * 1000,
  count: 1,
  ...rest,
});
const FAILED = { status: 503, upstreamStatus: 503 };
const REFUSED = { status: 503, errorCode: 'unavailable', upstreamStatus: null };
/** Creates calls with the given outcomes, one per second. The last outcome belongs to the newest call. */
const calls = (...outcomes: Partial<ExecutionOutcome>[]): readonly ExecutionOutcome[] =>
  outcomes.map((rest, index) => outcome(outcomes.length - index, rest)).reverse();

/** Creates the call counts of an interval that began `minutesAgo` minutes ago. */
const interval = (minutesAgo: number, errors = 0): RecentCalls => ({
  connectionName: 'mail',
  at: NOW - minutesAgo * 60_000,
  calls: 100,
  errors,
});

const live = (state: Partial<LiveState> = {}): LiveState => ({
  kind: 'not_answering',
  applicationId: 'app_1',
  connectionId: 'conn_1',
  isOfSome: false,
  since: NOW - 120_000,
  failedAt: NOW - 2000,
  nextTryAt: NOW + 3000,
  ...state,
});
const IDLE = { failedAt: NOW - 60_000, nextTryAt: NOW - 55_000 };

const NOT_ANSWERING = { state: 'not_answering', since: iso(120), nextTryAt: iso(-3) } as const;
const refreshFailures = { connectionId: 'conn_1', count: 3, since: NOW - 90_000, reason: 'No response.' };

const ROWS: readonly {
  readonly title: string;
  readonly facts: Partial<HealthFacts>;
  readonly expected: Partial<ConnectionHealth>;
}[] = [
  { title: 'without test and calls', facts: {}, expected: { state: 'not_tested' } },
  {
    title: 'with a passed test',
    facts: { connection: { ...CONNECTION, lastTest: PASSED } },
    expected: { state: 'working' },
  },
  { title: 'with a successful call', facts: { outcomes: calls({}) }, expected: { state: 'working' } },
  {
    title: 'with successful calls of the last hour',
    facts: { counted: [interval(10)] },
    expected: { state: 'working' },
  },
  {
    title: 'whose connector is missing',
    facts: { connection: { ...CONNECTION, statusReason: 'connector_not_found' } },
    expected: { state: 'not_configured' },
  },
  {
    title: 'without a client id',
    facts: { connection: { ...CONNECTION, clientId: null }, live: [live()] },
    expected: { state: 'not_configured' },
  },
  {
    title: 'without a base URL',
    facts: { connection: { ...CONNECTION, baseUrl: null } },
    expected: { state: 'not_configured' },
  },
  {
    title: 'whose client is refused',
    facts: { connection: { ...CONNECTION, statusReason: 'invalid_client' }, live: [live()] },
    expected: { state: 'client_refused' },
  },
  {
    title: 'with an open circuit and a passed test',
    facts: { connection: { ...CONNECTION, lastTest: PASSED }, live: [live()] },
    expected: NOT_ANSWERING,
  },
  {
    title: 'with open circuits of two instances',
    facts: { live: [live({ since: NOW - 60_000, nextTryAt: NOW + 5000 }), live()] },
    expected: NOT_ANSWERING,
  },
  {
    title: 'whose circuit waits for a trial call',
    facts: { live: [live(IDLE)] },
    expected: { state: 'not_answering', since: iso(120) },
  },
  {
    title: 'whose circuit waits for a trial call, while another instance gets responses',
    facts: { live: [live(IDLE)], outcomes: calls({}) },
    expected: { state: 'working' },
  },
  {
    title: 'whose circuit waits for a trial call since half an hour',
    facts: {
      connection: { ...CONNECTION, lastTest: PASSED },
      live: [live({ failedAt: NOW - 1_805_000, nextTryAt: NOW - 1_800_000 })],
    },
    expected: { state: 'not_answering' },
  },
  {
    title: 'whose circuit waits for a trial call, and that responded later',
    facts: {
      live: [live({ failedAt: NOW - 1_805_000, nextTryAt: NOW - 1_800_000 })],
      counted: [interval(20)],
    },
    expected: { state: 'working' },
  },
  {
    title: 'whose circuit has waited too long',
    facts: { live: [live({ nextTryAt: NOW - COUNTED_MS - 1 })] },
    expected: { state: 'not_tested' },
  },
  {
    title: 'with a circuit that is open for the only account',
    facts: { live: [live({ isOfSome: true })], outcomes: calls(REFUSED, REFUSED) },
    expected: NOT_ANSWERING,
  },
  {
    title: 'with a circuit that is open for some accounts, while others get responses',
    facts: { live: [live({ isOfSome: true })], outcomes: calls(REFUSED, {}, REFUSED, {}, REFUSED) },
    expected: { state: 'degraded', failedPercent: 60, since: iso(5) },
  },
  {
    title: 'with a full queue',
    facts: { live: [live({ kind: 'queue_full' })], refreshFailures },
    expected: { state: 'overloaded', since: iso(120) },
  },
  {
    title: 'with one failed call of many',
    facts: { outcomes: calls({}, {}, {}, {}, {}, {}, {}, {}, {}, FAILED) },
    expected: { state: 'working' },
  },
  {
    title: 'with one failed call only',
    facts: { outcomes: calls(FAILED) },
    expected: { state: 'not_tested' },
  },
  {
    title: 'with a fifth of its calls failed',
    facts: { outcomes: calls(FAILED, {}, {}, {}, {}, {}, {}, {}, {}, FAILED) },
    expected: {
      state: 'degraded',
      failedPercent: 20,
      since: iso(10),
      reason: 'The upstream responds with status 503.',
    },
  },
  {
    title: 'with failures of all known calls, which began before them in an earlier interval',
    facts: {
      outcomes: calls(...Array(10).fill(FAILED)),
      counted: [interval(4, 100), interval(9, 50), interval(14, 0)],
    },
    expected: { state: 'degraded', failedPercent: 100, since: iso(390) },
  },
  {
    title: 'with failures after successes, all of which are known',
    facts: {
      outcomes: calls({}, {}, FAILED, FAILED),
      counted: [{ ...interval(4, 2), calls: 4 }],
    },
    expected: { state: 'degraded', failedPercent: 50, since: iso(2) },
  },
  {
    title: 'with failures that began after the oldest known call',
    facts: {
      outcomes: [...calls(FAILED, FAILED, FAILED, FAILED, FAILED), outcome(60)],
      counted: [interval(4, 100), interval(9, 100)],
    },
    expected: { state: 'degraded', since: iso(5) },
  },
  {
    title: 'with failures of all known calls and few errors before',
    facts: { outcomes: calls(FAILED, FAILED), counted: [interval(4, 10), interval(9, 100)] },
    expected: { state: 'degraded', since: iso(2) },
  },
  {
    title: 'with timeouts',
    facts: {
      outcomes: calls(...Array(2).fill({ status: 504, errorCode: 'upstream_timeout', upstreamStatus: null })),
    },
    expected: { state: 'degraded', failedPercent: 100, reason: 'The upstream does not respond in time.' },
  },
  {
    title: 'whose last five calls succeeded',
    facts: { outcomes: calls(FAILED, FAILED, {}, {}, {}, {}, {}) },
    expected: { state: 'working' },
  },
  {
    title: 'whose last call succeeded 6 s after the last failure',
    facts: { outcomes: [outcome(1), outcome(7, FAILED), outcome(8, FAILED)] },
    expected: { state: 'working' },
  },
  {
    title: 'whose last call succeeded 2 s after the last failure',
    facts: { outcomes: [outcome(1), outcome(3, FAILED), outcome(8, FAILED)] },
    expected: { state: 'degraded', failedPercent: 67 },
  },
  {
    title: 'with mistakes of callers',
    facts: { outcomes: calls(...Array(5).fill({ status: 404, upstreamStatus: 404 })) },
    expected: { state: 'working' },
  },
  {
    title: 'with failed token refreshes',
    facts: { connection: { ...CONNECTION, lastTest: PASSED }, refreshFailures },
    expected: { state: 'refresh_failing', accounts: 3, since: iso(90), reason: 'No response.' },
  },
  {
    title: 'with calls that fail because of failed token refreshes',
    facts: { refreshFailures, outcomes: calls(REFUSED, REFUSED, {}) },
    expected: { state: 'refresh_failing', accounts: 3 },
  },
  {
    title: 'with failed calls and failed token refreshes',
    facts: { refreshFailures, outcomes: calls(REFUSED, FAILED, FAILED) },
    expected: { state: 'degraded', failedPercent: 100 },
  },
  {
    title: 'with a failed test',
    facts: { connection: { ...CONNECTION, lastTest: failedTest('client') }, outcomes: calls({}) },
    expected: { state: 'test_failed', since: iso(600), reason: 'No.' },
  },
  {
    title: 'with a test that failed during an outage, without later calls',
    facts: { connection: { ...CONNECTION, lastTest: failedTest('base_url') } },
    expected: { state: 'test_failed' },
  },
  {
    title: 'with a test that failed during an outage, and later calls',
    facts: { connection: { ...CONNECTION, lastTest: failedTest('base_url') }, outcomes: calls({}) },
    expected: { state: 'working' },
  },
];

test.each(ROWS)('the state of a connection $title is $expected.state', ({ facts, expected }) => {
  const health = connectionHealth({
    connection: CONNECTION,
    live: [],
    refreshFailures: undefined,
    outcomes: [],
    counted: [],
    now: NOW,
    ...facts,
  });
  expect(health).toMatchObject(expected);
  expect(health.nextTryAt).toBe(expected.nextTryAt);
});
