import type { Connection } from '../connections/connection.js';
import type { ConnectionState } from '../names/connection-states.js';
import type { RefreshFailures } from '../storage/account-counts-table.js';
import type { RecentCalls } from '../storage/execution-statistics-table.js';
import { type ExecutionOutcome, isFailed } from '../storage/executions-table.js';
import { isoTime } from '../text/iso-time.js';
import type { LiveState } from './instance-report.js';

export interface ConnectionHealth {
  readonly state: ConnectionState;
  /** Time at which the connection entered this state, in ISO 8601. Absent if unknown. */
  readonly since?: string;
  /**
   * Time from which the service sends calls to the upstream again, in ISO 8601. Present only in the state
   * `not_answering`, and absent if the next call is sent immediately.
   */
  readonly nextTryAt?: string;
  /** Percentage of the recent calls that failed. Present only in the state `degraded`. */
  readonly failedPercent?: number;
  /** Number of accounts whose token refreshes fail. Present only in the state `refresh_failing`. */
  readonly accounts?: number;
  /** Sentence that explains the state. */
  readonly reason?: string;
}

/** Data from which the state of a connection is computed. */
export interface HealthFacts {
  readonly connection: Pick<Connection, 'authType' | 'baseUrl' | 'clientId' | 'statusReason' | 'lastTest'>;
  /** Open circuit breakers and full queues of this connection, as all running instances of the service report them. */
  readonly live: readonly LiveState[];
  readonly refreshFailures: RefreshFailures | undefined;
  /** Finished calls that started within the last five minutes, newest first. */
  readonly outcomes: readonly ExecutionOutcome[];
  /** Number of calls and of failed calls in each 5-minute interval of the last hour. */
  readonly counted: readonly RecentCalls[];
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** Time in milliseconds after its start for which a finished call counts as recent. */
export const RECENT_MS = 5 * 60_000;
/** Time in milliseconds for which the call counts of a connection are used. Older counts are ignored. */
export const COUNTED_MS = 60 * 60_000;
/** Length of one interval of the call counts, in milliseconds. */
export const INTERVAL_MS = 5 * 60_000;
// Number of newest calls whose failed share determines whether a connection is degraded.
const MAX_OUTCOMES = 50;

const NO_RESPONSE: readonly (string | null)[] = ['connection_failed', 'upstream_timeout', 'unavailable'];
const MIN_FAILURES = 2;
const MIN_PERCENT = 20;
// Number of successful calls in a row after which a connection has recovered. It has also recovered after
// `RECOVERED_MS` without a failure.
const RECOVERED_CALLS = 5;
const RECOVERED_MS = 6000;

export const isUpstreamFailure = ({ errorCode, upstreamStatus }: ExecutionOutcome): boolean =>
  (upstreamStatus !== null && upstreamStatus >= 500) || NO_RESPONSE.includes(errorCode);

/**
 * Returns true if the call got a response that is not an upstream failure. False for calls that ended before the
 * upstream could respond.
 */
const isResponse = (outcome: ExecutionOutcome): boolean =>
  !isUpstreamFailure(outcome) && (outcome.upstreamStatus !== null || outcome.status < 400);

// Returns true if the service did not send the call, because it could not refresh the account's token.
const isUnsent = ({ errorCode, upstreamStatus }: ExecutionOutcome): boolean =>
  errorCode === 'unavailable' && upstreamStatus === null;

function notConfigured({
  connection: { authType, baseUrl, clientId, statusReason },
}: HealthFacts): ConnectionHealth | undefined {
  const state = 'not_configured';
  if (statusReason === 'connector_not_found')
    return { state, reason: 'The connector is no longer in the catalogue.' };
  if (baseUrl === null)
    return { state, reason: 'The connector no longer has the region of this connection.' };
  if (authType === 'oauth2' && clientId === null)
    return { state, reason: 'The connection has no client id.' };
  return undefined;
}

const clientRefused = ({ connection: { statusReason } }: HealthFacts): ConnectionHealth | undefined =>
  statusReason === 'invalid_client'
    ? { state: 'client_refused', reason: 'The authorization server refuses the client id and secret.' }
    : undefined;

function respondedAfter({ counted, outcomes }: HealthFacts, time: number): boolean {
  const isInInterval = counted.some(({ at, calls, errors }) => at > time && calls > errors);
  return isInInterval || outcomes.some((outcome) => isResponse(outcome) && outcome.startedAt > time);
}

/**
 * Returns true if an instance still reports an open circuit breaker although the upstream responds again. An instance
 * that makes no calls does not notice the recovery.
 */
function isStale({ failedAt, nextTryAt }: LiveState, facts: HealthFacts): boolean {
  if (nextTryAt > facts.now) return false;
  return nextTryAt < facts.now - COUNTED_MS || respondedAfter(facts, failedAt);
}

function notAnswering(facts: HealthFacts): ConnectionHealth | undefined {
  const { live, now, outcomes } = facts;
  const refusing = live
    .filter(({ kind }) => kind === 'not_answering')
    .filter((state) => !isStale(state, facts))
    // Ignores a circuit breaker that refuses calls of only some accounts, if other accounts still get responses. The
    // share of failed calls then decides whether the connection is degraded.
    .filter(
      ({ isOfSome, since }) =>
        !isOfSome || !outcomes.some((outcome) => isResponse(outcome) && outcome.startedAt > since),
    );
  if (refusing.length === 0) return undefined;
  const nextTryAt = Math.min(...refusing.map((state) => state.nextTryAt));
  return {
    state: 'not_answering',
    since: isoTime(Math.min(...refusing.map(({ since }) => since))),
    ...(nextTryAt > now && { nextTryAt: isoTime(nextTryAt) }),
    reason: 'The upstream does not respond, so the circuit breaker refuses calls.',
  };
}

function overloaded({ live }: HealthFacts): ConnectionHealth | undefined {
  const full = live.filter(({ kind }) => kind === 'queue_full');
  if (full.length === 0) return undefined;
  return {
    state: 'overloaded',
    since: isoTime(Math.min(...full.map(({ since }) => since))),
    reason: 'Calls are refused, because too many calls are in progress.',
  };
}

function causeOf({ errorCode, upstreamStatus }: ExecutionOutcome): string {
  if (upstreamStatus !== null && upstreamStatus >= 500)
    return `The upstream responds with status ${upstreamStatus}.`;
  if (errorCode === 'upstream_timeout') return 'The upstream does not respond in time.';
  if (errorCode === 'connection_failed') return 'The connections to the upstream fail.';
  return 'The service could not send the calls.';
}

/** Returns true if the newest calls succeeded, so that earlier failures no longer matter. */
function hasRecovered(counted: readonly ExecutionOutcome[], now: number): boolean {
  const newest = counted.slice(0, RECOVERED_CALLS);
  if (newest.length === RECOVERED_CALLS && !newest.some(isUpstreamFailure)) return true;
  const [last] = counted;
  const lastFailure = counted.find(isUpstreamFailure);
  return last !== lastFailure && (lastFailure?.startedAt ?? 0) < now - RECOVERED_MS;
}

// Time in milliseconds. If the oldest known failure follows the oldest known call within this time, the failures
// probably began even earlier.
const EDGE_MS = 30_000;

const sumOf = (outcomes: readonly ExecutionOutcome[]): number =>
  outcomes.reduce((sum, { count }) => sum + count, 0);

/**
 * Subtracts the individually known calls from the call counts of an interval. The remaining counts belong to calls that
 * are not individually known.
 */
function uncounted({ at, calls, errors }: RecentCalls, known: readonly ExecutionOutcome[]) {
  const inside = known.filter(({ startedAt }) => startedAt >= at && startedAt < at + INTERVAL_MS);
  return { at, calls: calls - sumOf(inside), errors: errors - sumOf(inside.filter(isFailed)) };
}

/**
 * Estimates when the failures began, at most an hour ago, in milliseconds since 1970. Individual calls are known only
 * for a few minutes; for earlier times, only the number of failed calls per interval. `part`: share of the newest calls
 * that failed.
 */
function beganAt({ counted, now, outcomes }: HealthFacts, part: number): number {
  const oldest = outcomes.at(-1)?.startedAt ?? now;
  let began = outcomes.findLast(isUpstreamFailure)?.startedAt ?? now;
  if (began - oldest > EDGE_MS) return began;
  const older = counted
    .map((interval) => uncounted(interval, outcomes))
    .filter(({ at, calls }) => at < began && calls > 0)
    .sort((one, other) => other.at - one.at);
  for (const { at, calls, errors } of older) {
    const end = Math.min(oldest, at + INTERVAL_MS);
    const failedPart = errors / calls;
    if (end < began - INTERVAL_MS || failedPart * 100 < MIN_PERCENT) break;
    began = Math.min(began, Math.round(end - (end - at) * Math.min(1, failedPart / part)));
    if (began > at) break;
  }
  return began;
}

function degraded(facts: HealthFacts): ConnectionHealth | undefined {
  const { outcomes, refreshFailures, now } = facts;
  const counted = outcomes
    .filter((outcome) => isResponse(outcome) || isUpstreamFailure(outcome))
    .filter((outcome) => refreshFailures === undefined || !isUnsent(outcome))
    .slice(0, MAX_OUTCOMES);
  const failures = counted.filter(isUpstreamFailure);
  const [last] = failures;
  const failedPercent = Math.round((100 * failures.length) / Math.max(1, counted.length));
  if (failures.length < MIN_FAILURES || failedPercent < MIN_PERCENT || hasRecovered(counted, now))
    return undefined;
  return {
    state: 'degraded',
    failedPercent,
    since: isoTime(beganAt(facts, failedPercent / 100)),
    ...(last && { reason: causeOf(failures.find((outcome) => !isUnsent(outcome)) ?? last) }),
  };
}

function refreshFailing({ refreshFailures }: HealthFacts): ConnectionHealth | undefined {
  if (refreshFailures === undefined) return undefined;
  const { count, reason, since } = refreshFailures;
  return { state: 'refresh_failing', accounts: count, since: isoTime(since), reason };
}

// Steps of a connection test that fail during an outage of the upstream. If the upstream responds later, the outage is
// over and the failed test no longer matters.
const OUTAGE_STEPS = ['base_url', 'deadline'];

function testFailed(facts: HealthFacts): ConnectionHealth | undefined {
  const { lastTest } = facts.connection;
  if (lastTest === undefined || lastTest.isWorking) return undefined;
  const isOutage = lastTest.failedSteps.every((step) => OUTAGE_STEPS.includes(step));
  if (isOutage && respondedAfter(facts, Date.parse(lastTest.at))) return undefined;
  return { state: 'test_failed', since: lastTest.at, reason: lastTest.message ?? 'The test failed.' };
}

function notTested(facts: HealthFacts): ConnectionHealth | undefined {
  const isKnown = facts.connection.lastTest !== undefined || respondedAfter(facts, 0);
  return isKnown ? undefined : { state: 'not_tested' };
}

const STATES = [
  notConfigured,
  clientRefused,
  notAnswering,
  overloaded,
  degraded,
  refreshFailing,
  testFailed,
  notTested,
];

/** Computes the health of a connection from all known data. */
export function connectionHealth(facts: HealthFacts): ConnectionHealth {
  for (const stateOf of STATES) {
    const health = stateOf(facts);
    if (health) return health;
  }
  return { state: 'working' };
}

// States of a connection that need an operator's attention, with the most urgent state first.
const TROUBLE: readonly ConnectionState[] = [
  'not_answering',
  'overloaded',
  'degraded',
  'client_refused',
  'refresh_failing',
  'test_failed',
  'not_configured',
];

/** Returns the urgency of a connection's state: 0 for the most urgent state, and -1 if it needs no attention. */
export const urgencyOf = ({ state }: ConnectionHealth): number => TROUBLE.indexOf(state);

/** Returns true if a connection's state needs an operator's attention. */
export const isTrouble = (health: ConnectionHealth): boolean => urgencyOf(health) !== -1;
