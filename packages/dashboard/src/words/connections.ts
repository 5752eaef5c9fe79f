import type { ResponseOf } from '../api/call.ts';
import { grouped } from './numbers.ts';
import { toOperatorText } from './service-texts.ts';
import { NOT_TESTED, type StateWords } from './states.ts';
import { clockOf, since } from './times.ts';

type Connection = ResponseOf<'GET /operator/v1/applications/{applicationId}/connections/{connectionName}'>;
export type ConnectionHealth = Connection['health'];
type ConnectionState = ConnectionHealth['state'];

/**
 * Joins sentences, and rewrites them for people who use the dashboard, because the service's sentences address
 * programs.
 */
const sentences = (...given: readonly (string | undefined)[]): string =>
  toOperatorText(given.filter((sentence) => sentence !== undefined).join(' '));

function nextTry({ nextTryAt }: ConnectionHealth, now: number): string {
  if (nextTryAt === undefined || Date.parse(nextTryAt) <= now)
    return 'The service tries again with the next call.';
  return `The service tries again ${since(Date.parse(nextTryAt), now)}.`;
}

const sinceClock = ({ since: at }: ConnectionHealth, now: number): string =>
  at === undefined ? '' : ` since ${clockOf(at, now)}`;

function agoOf(at: string, now: number): string {
  const ago = since(Date.parse(at), now);
  return ago === 'now' ? 'just now' : ago;
}

function refreshSentence({ accounts = 0, ...health }: ConnectionHealth, now: number): string {
  const whose = accounts === 1 ? 'one account' : `${grouped(accounts)} accounts`;
  return `The token refresh of ${whose} has failed${sinceClock(health, now)}.`;
}

const WORDS: Readonly<Record<ConnectionState, (health: ConnectionHealth, now: number) => StateWords>> = {
  not_configured: ({ reason }) => ({
    tone: 'warn',
    title: 'Setup incomplete',
    explanation: sentences('Users cannot connect.', reason),
    next: 'Enter the missing values in the settings of the connection.',
  }),
  client_refused: () => ({
    tone: 'bad',
    title: 'Client rejected',
    explanation:
      'The upstream rejects the client ID and secret. Users cannot connect, and tokens are not refreshed.',
    next: 'Check in the upstream’s console whether the client secret expired or was replaced, then enter the current client secret.',
  }),
  not_answering: (health, now) => ({
    tone: 'bad',
    title: 'Not answering',
    explanation: `The upstream has not answered${sinceClock(health, now)}. ${nextTry(health, now)}`,
    next: 'Until the upstream answers, the service responds to calls with status 503.',
  }),
  overloaded: (health, now) => ({
    tone: 'bad',
    title: 'Overloaded',
    explanation: `The service has refused calls${sinceClock(health, now)}, because too many calls through this connection are in progress.`,
    next: 'Send fewer calls at the same time.',
  }),
  degraded: (health, now) => ({
    tone: 'bad',
    title: health.failedPercent === 100 ? 'All calls fail' : 'Degraded',
    explanation: sentences(
      `${health.failedPercent ?? 0}% of the recent calls have failed${sinceClock(health, now)}.`,
      health.reason,
    ),
    next: 'Open the failed executions to see the errors.',
  }),
  refresh_failing: (health, now) => ({
    tone: 'warn',
    title: 'Refresh failing',
    explanation: sentences(
      refreshSentence(health, now),
      health.reason,
      'Calls for an account work until its access token expires.',
    ),
    next: 'The service repeats the refreshes. The users do not have to do anything.',
  }),
  test_failed: ({ reason, since: at }, now) => ({
    tone: 'bad',
    title: 'Test failed',
    explanation: sentences(`The last test failed${at === undefined ? '' : ` ${agoOf(at, now)}`}.`, reason),
    next: 'Fix the reported problem, then test the connection again.',
  }),
  not_tested: () => ({
    tone: 'soft',
    title: NOT_TESTED,
    explanation:
      'Nobody has tested the settings of this connection, and no call has succeeded within the last hour.',
    next: 'Test the connection.',
  }),
  working: () => ({
    tone: 'good',
    title: 'Working',
    explanation: 'The last test or the last calls succeeded. Users can connect.',
  }),
};

const UNKNOWN: StateWords = {
  tone: 'bad',
  title: 'Not working',
  explanation: 'Calls through this connection fail. Test the connection to see the reason.',
};

/** Returns the health of a connection in words. `now` is the current time in milliseconds since 1970. */
export function healthWords(health: ConnectionHealth, now = Date.now()): StateWords {
  // A newer service may report a state that this dashboard does not know.
  return Object.hasOwn(WORDS, health.state) ? WORDS[health.state](health, now) : UNKNOWN;
}

const MISSING_CONNECTOR: StateWords = {
  tone: 'bad',
  title: 'Connector missing',
  explanation: 'The connector of this connection is no longer in the catalogue.',
  next: 'Restore the connector’s folder in SVC_CATALOG and restart the service, or delete the connection.',
};

const NO_ADDRESS: StateWords = {
  tone: 'bad',
  title: 'Region missing',
  explanation: 'The connector no longer has the region of this connection.',
  next: 'Choose another region in the settings of the connection.',
};

const UNFINISHED: StateWords = {
  tone: 'warn',
  title: 'Setup incomplete',
  explanation: 'The connection has no client ID, so users cannot connect.',
  next: 'Register the redirect URI with the upstream, then enter the client ID and client secret from the upstream.',
};

type ConnectionFacts = Pick<Connection, 'baseUrl' | 'health' | 'statusReason'>;

/** Returns the state of a connection in words, with instructions for missing settings. */
export function connectionWords(
  { baseUrl, health, statusReason }: ConnectionFacts,
  now = Date.now(),
): StateWords {
  if (health.state !== 'not_configured') return healthWords(health, now);
  if (statusReason === 'connector_not_found') return MISSING_CONNECTOR;
  return baseUrl === null ? NO_ADDRESS : UNFINISHED;
}

/**
 * Returns true if users can connect accounts: all necessary settings exist, and the upstream accepts the OAuth client.
 */
export const canConnect = ({ state }: ConnectionHealth): boolean =>
  state !== 'not_configured' && state !== 'client_refused';

/** Maximum number of connections in the overview response. The response contains no accounts of further connections. */
const MOST_IN_OVERVIEW = 20;

interface TestedFacts extends Pick<Connection, 'health'> {
  /** Number of authorized accounts that neither a test nor a call has shown to work. */
  readonly notTested: number;
}

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${grouped(count)} ${noun}${count === 1 ? '' : 's'}`];

/** Names the connections and accounts of an overview that nobody has tested. Returns `undefined` if there are none. */
export function untestedWords(connections: readonly TestedFacts[]): string | undefined {
  const untested = connections.filter(({ health }) => health.state === 'not_tested').length;
  const accounts = connections.reduce((sum, { notTested }) => sum + notTested, 0);
  const subjects = [...counted(untested, 'connection'), ...counted(accounts, 'account')];
  if (subjects.length === 0) return undefined;
  const where = connections.length < MOST_IN_OVERVIEW ? '' : `, in the first ${MOST_IN_OVERVIEW} connections`;
  return `Not tested yet${where}: ${subjects.join(' and ')}.`;
}

/** Says that an overview contains no problem. Says nothing about accounts of connections that the overview omits. */
export function noProblemWords(connections: readonly TestedFacts[]): string {
  if (connections.length === 0) return 'This application has no connections yet.';
  return connections.length < MOST_IN_OVERVIEW
    ? 'No connection or connected account reports a problem.'
    : `No connection reports a problem, and neither does any account of the first ${MOST_IN_OVERVIEW} connections.`;
}
