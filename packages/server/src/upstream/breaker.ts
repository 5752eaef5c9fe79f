import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { ServiceError } from '../errors.js';
import { type Circuit, count, isBad, newCircuit, type Pause, whoFails } from './circuit.js';

/**
 * Outcome of an upstream call for the circuit breaker. `nothing`: the call says nothing about the upstream's state, for
 * example because the client disconnected.
 */
export type Verdict = 'responded' | 'failed' | 'nothing';

/**
 * Circuit breaker (rule F4 in security-rules.md). Refuses calls to an upstream that does not respond. If calls of only
 * some accounts fail, it refuses only calls of these accounts.
 */
export interface Breaker {
  /** Throws `unavailable` if the circuit breaker currently refuses calls of the account. Does not count as a call. */
  check(key: string, account: string): void;
  /**
   * Counts the start of a call. Throws `unavailable` if the circuit breaker refuses calls of the account. Otherwise
   * returns a function: the caller must call it with the outcome.
   */
  enter(key: string, account: string): (verdict: Verdict) => void;
  /** Lists the circuits that currently refuse calls or wait for a trial call. */
  paused(): readonly PausedCircuit[];
}

/**
 * State of a circuit that does not let every call through. `open`: calls of all accounts are refused.
 * `open_for_accounts`: calls of some accounts are refused. `half_open`: the next call is a trial.
 */
export type PausedState = 'open' | 'open_for_accounts' | 'half_open';

/**
 * Circuit of one connection and one upstream origin, while it refuses calls. Its times are milliseconds of the
 * breaker's clock.
 */
export interface PausedCircuit extends CircuitOwner {
  readonly state: PausedState;
  /** True if the circuit breaker refuses the calls of only some accounts, because calls of other accounts succeed. */
  readonly isOfSome: boolean;
  /** Time at which the circuit breaker began to refuse calls, in milliseconds of the breaker's clock. */
  readonly since: number;
  /** Time of the last failed call, in milliseconds of the breaker's clock. */
  readonly failedAt: number;
  /** Time from which one trial call may test the upstream again, in milliseconds of the breaker's clock. */
  readonly nextTryAt: number;
}

interface CircuitOwner {
  readonly connector: string;
  readonly applicationId: string;
  readonly connectionId: string;
}

/** Returns the key under which the circuit breaker keeps the state of a connection and an upstream origin. */
export const breakerKey = (
  { connector, applicationId, connectionId }: CircuitOwner,
  origin: string,
): string => `${connector} ${applicationId} ${connectionId} ${origin}`;

function ownerIn(key: string): CircuitOwner {
  const [connector = '', applicationId = '', connectionId = ''] = key.split(' ');
  return { connector, applicationId, connectionId };
}

interface Reported {
  readonly account: string;
  readonly verdict: Verdict;
}

const PAUSE_MS = 5000;
const MAX_CIRCUITS = 10_000;

const notNow = (waitMs: number): ServiceError =>
  new ServiceError(
    'unavailable',
    'Recent calls to the upstream of this connection failed, so the service did not send this call (open circuit breaker). Retry later.',
    { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)), reason: 'circuit_breaker' },
  );

/** Creates the circuit breaker. `now` returns milliseconds since any fixed time. */
export function createBreaker({ now }: { readonly now: () => number }): Breaker {
  const circuits = new LRUCache<string, Circuit>(entryLimit(MAX_CIRCUITS));
  // Keys of the circuits that currently refuse calls. While every upstream responds, the set is empty, and listing
  // costs nothing.
  const pausedKeys = new Set<string>();

  function circuitOf(key: string): Circuit {
    const known = circuits.get(key);
    if (known) return known;
    const circuit = newCircuit();
    circuits.set(key, circuit);
    return circuit;
  }

  function refuseIfPaused(pause: Pause, account: string): void {
    const isLast = pause.triedBy === account;
    // Time in milliseconds until the account may make a trial call. The account that made the last trial call waits
    // longer if other accounts are waiting, because its own request may be the cause of the failure.
    const waitMs = pause.until + (isLast && pause.isAwaited ? PAUSE_MS : 0) - now();
    if (waitMs <= 0) return;
    if (!isLast) pause.isAwaited = true;
    throw notNow(waitMs);
  }

  /**
   * Returns the pause that concerns the account if a trial call may be sent now. Returns `undefined` without a pause.
   * Throws `unavailable` while calls of the account are refused.
   */
  function checkPause(circuit: Circuit | undefined, account: string): Pause | undefined {
    const pause = circuit?.pause;
    if (!pause || (pause.of !== 'everybody' && !pause.of.has(account))) return undefined;
    refuseIfPaused(pause, account);
    return pause;
  }

  function pauseCalls(key: string, circuit: Circuit): void {
    const time = now();
    circuit.pause = {
      since: circuit.pause?.since ?? time,
      failedAt: time,
      until: time + PAUSE_MS,
      of: whoFails(circuit, time),
      triedBy: undefined,
      isAwaited: false,
    };
    pausedKeys.add(key);
  }

  function record(key: string, circuit: Circuit, { account, verdict }: Reported): void {
    if (verdict === 'nothing') return;
    const isFailed = verdict === 'failed';
    count(circuit, { account, isFailed, now: now() });
    const { pause } = circuit;
    const isPaused = pause?.of === 'everybody' || pause?.of.has(account);
    if (!isFailed || isPaused || !isBad(circuit, now())) return;
    pauseCalls(key, circuit);
  }

  /**
   * Lets one trial call through. If the upstream responds, the pause ends for all accounts. If the trial call never
   * ends, another one is allowed after 5 s.
   */
  function beginTrial(circuit: Circuit, pause: Pause, account: string): (verdict: Verdict) => void {
    Object.assign(pause, { until: now() + PAUSE_MS, triedBy: account, isAwaited: false });
    return (verdict) => {
      if (verdict === 'responded') Object.assign(circuit, newCircuit());
      else if (verdict === 'failed') Object.assign(pause, { until: now() + PAUSE_MS, failedAt: now() });
      else pause.until = now();
    };
  }

  function stateOf({ of, until }: Pause): PausedState {
    if (until <= now()) return 'half_open';
    return of === 'everybody' ? 'open' : 'open_for_accounts';
  }

  function paused(): readonly PausedCircuit[] {
    return [...pausedKeys].flatMap((key) => {
      const pause = circuits.peek(key)?.pause;
      if (pause) {
        const { since, failedAt, until, of } = pause;
        return [
          {
            ...ownerIn(key),
            state: stateOf(pause),
            isOfSome: of !== 'everybody',
            since,
            failedAt,
            nextTryAt: until,
          },
        ];
      }
      pausedKeys.delete(key);
      return [];
    });
  }

  return {
    paused,
    check: (key, account) => void checkPause(circuits.get(key), account),
    enter: (key, account) => {
      const circuit = circuitOf(key);
      const pause = checkPause(circuit, account);
      return pause
        ? beginTrial(circuit, pause, account)
        : (verdict) => record(key, circuit, { account, verdict });
    },
  };
}

// Reasons of the error `connection_failed` that the upstream or the network causes. All other reasons are caused by the
// request, the caller or a setting, so they do not open the circuit.
const FAULTS: readonly unknown[] = [
  'refused',
  'closed',
  'unknown_host',
  'tls',
  'invalid_response',
  'egress_proxy',
];
const GATEWAY_FAULTS: readonly number[] = [502, 503, 504];

/**
 * Maps the status of an upstream response to an outcome. 502, 503 and 504 count as failed, because a gateway sends them
 * when its upstream does not respond.
 */
export const verdictOf = (status: number): Verdict =>
  GATEWAY_FAULTS.includes(status) ? 'failed' : 'responded';

export function verdictOfError(error: unknown): Verdict {
  if (!(error instanceof ServiceError)) return 'nothing';
  if (error.code === 'upstream_timeout') return 'failed';
  const isFault = error.code === 'connection_failed' && FAULTS.includes(error.reason);
  return isFault ? 'failed' : 'nothing';
}
