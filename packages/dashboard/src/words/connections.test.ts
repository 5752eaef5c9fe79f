import { describe, expect, test } from 'vitest';
import { CONNECTION_STATES } from '../../../server/src/names/connection-states.ts';
import {
  type ConnectionHealth,
  canConnect,
  connectionWords,
  healthWords,
  noProblemWords,
  untestedWords,
} from './connections.ts';
import type { StateWords } from './states.ts';

const NOW = new Date('2026-11-28T12:00:00').getTime();
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

const WORDS: readonly {
  readonly health: ConnectionHealth;
  readonly tone: StateWords['tone'];
  readonly title: string;
  readonly explanation: string;
}[] = [
  {
    health: { state: 'not_configured', reason: 'The connection has no client id.' },
    tone: 'warn',
    title: 'Setup incomplete',
    explanation: 'Users cannot connect. The connection has no client id.',
  },
  {
    health: { state: 'client_refused', reason: 'It does.' },
    tone: 'bad',
    title: 'Client rejected',
    explanation:
      'The upstream rejects the client ID and secret. Users cannot connect, and tokens are not refreshed.',
  },
  {
    health: { state: 'not_answering', since: ago(600), nextTryAt: ago(-4) },
    tone: 'bad',
    title: 'Not answering',
    explanation: 'The upstream has not answered since 11:50. The service tries again in 4 seconds.',
  },
  {
    health: { state: 'not_answering', since: ago(2 * 86_400), nextTryAt: ago(1) },
    tone: 'bad',
    title: 'Not answering',
    explanation:
      'The upstream has not answered since 26 Nov 2026, 12:00. The service tries again with the next call.',
  },
  {
    health: { state: 'overloaded', since: ago(60) },
    tone: 'bad',
    title: 'Overloaded',
    explanation:
      'The service has refused calls since 11:59, because too many calls through this connection are in progress.',
  },
  {
    health: {
      state: 'degraded',
      failedPercent: 34,
      since: ago(60),
      reason: 'The upstream responds with status 500.',
    },
    tone: 'bad',
    title: 'Degraded',
    explanation: '34% of the recent calls have failed since 11:59. The upstream responds with status 500.',
  },
  {
    health: { state: 'degraded', failedPercent: 100, since: ago(60) },
    tone: 'bad',
    title: 'All calls fail',
    explanation: '100% of the recent calls have failed since 11:59.',
  },
  {
    health: { state: 'refresh_failing', accounts: 1, since: ago(60), reason: 'No response.' },
    tone: 'warn',
    title: 'Refresh failing',
    explanation:
      'The token refresh of one account has failed since 11:59. No response. Calls for an account work until its access token expires.',
  },
  {
    health: { state: 'refresh_failing', accounts: 1200, since: ago(60) },
    tone: 'warn',
    title: 'Refresh failing',
    explanation:
      'The token refresh of 1,200 accounts has failed since 11:59. Calls for an account work until its access token expires.',
  },
  {
    health: { state: 'test_failed', since: ago(180), reason: 'The token endpoint does not respond.' },
    tone: 'bad',
    title: 'Test failed',
    explanation: 'The last test failed 3 minutes ago. The token endpoint does not respond.',
  },
  {
    health: { state: 'test_failed', since: ago(0) },
    tone: 'bad',
    title: 'Test failed',
    explanation: 'The last test failed just now.',
  },
  {
    health: { state: 'not_tested' },
    tone: 'soft',
    title: 'Not tested yet',
    explanation:
      'Nobody has tested the settings of this connection, and no call has succeeded within the last hour.',
  },
  {
    health: { state: 'working' },
    tone: 'good',
    title: 'Working',
    explanation: 'The last test or the last calls succeeded. Users can connect.',
  },
];

describe('the health of a connection in words', () => {
  test.each(WORDS)('$health.state is “$title”: $explanation', ({ health, ...expected }) => {
    const words = healthWords(health, NOW);
    expect(words).toMatchObject(expected);
    expect(words.next === undefined).toBe(health.state === 'working');
    expect(words.next ?? 'Nothing to do here.').toMatch(/^[A-Z].{10,}\.$/);
    expect(words.title).toMatch(/^[A-Z][^_.]{3,24}$/);
  });

  test('every state of the API has words', () => {
    expect(new Set(WORDS.map(({ health }) => health.state))).toEqual(new Set(CONNECTION_STATES));
  });

  test('a state of a newer service is shown as not working', () => {
    const health = { state: 'constructor' as ConnectionHealth['state'] };
    expect(healthWords(health, NOW)).toMatchObject({ tone: 'bad', title: 'Not working' });
  });
});

const UNFINISHED = { baseUrl: 'https://api.example', health: { state: 'not_configured' } } as const;

test.each([
  { title: 'without a client ID', facts: UNFINISHED, expected: 'Setup incomplete' },
  { title: 'without a region', facts: { ...UNFINISHED, baseUrl: null }, expected: 'Region missing' },
  {
    title: 'without a connector',
    facts: { ...UNFINISHED, statusReason: 'connector_not_found' as const },
    expected: 'Connector missing',
  },
  {
    title: 'that works',
    facts: { ...UNFINISHED, health: { state: 'working' as const } },
    expected: 'Working',
  },
])('the state of a connection $title is “$expected”', ({ facts, expected }) => {
  expect(connectionWords(facts, NOW).title).toBe(expected);
});

test('users can connect unless a setting is missing or wrong', () => {
  const refused = CONNECTION_STATES.filter((state) => !canConnect({ state }));
  expect(refused).toEqual(['not_configured', 'client_refused']);
});

const inOverview = (state: ConnectionHealth['state'], notTested = 0) => ({ health: { state }, notTested });

test.each([
  { title: 'no connection', connections: [], calm: 'This application has no connections yet.' },
  {
    title: 'tested connections',
    connections: [inOverview('working')],
    calm: 'No connection or connected account reports a problem.',
  },
  {
    title: 'untested connections and accounts',
    connections: [inOverview('not_tested'), inOverview('working', 1200)],
    calm: 'No connection or connected account reports a problem.',
    untested: 'Not tested yet: 1 connection and 1,200 accounts.',
  },
  {
    title: 'more connections than the overview contains',
    connections: Array.from({ length: 20 }, () => inOverview('not_tested')),
    calm: 'No connection reports a problem, and neither does any account of the first 20 connections.',
    untested: 'Not tested yet, in the first 20 connections: 20 connections.',
  },
])('an overview without problems claims only what is known: $title', ({ connections, calm, untested }) => {
  expect(noProblemWords(connections)).toBe(calm);
  expect(untestedWords(connections)).toBe(untested);
});
