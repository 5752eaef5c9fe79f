import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { ServiceError } from '../errors.js';
import { type Circuit, count, isBad, newCircuit, type Pause, whoFails } from './circuit.js';

/**
 * Outcome of an upstream call for the circuit breaker. `nothing`: the outcome says nothing about the upstream, for
 * example if the client disconnected.
 */
export type Verdict = 'responded' | 'failed' | 'nothing';

/**
 * Circuit breaker (rule F4 in security-rules.md). Stops calls to an upstream that does not respond. If only some
 * accounts fail, it stops only their calls.
 */
export interface Breaker {
  /** Throws `unavailable` if the circuit breaker currently refuses calls of the account. Does not start a call. */
  check(key: string, account: string): void;
  /**
   * Starts a call. Throws `unavailable` if the circuit breaker refuses calls of the account. Otherwise returns a
   * function that must be called with the outcome.
   */
  enter(key: string, account: string): (verdict: Verdict) => void;
  /** Counts the circuits that refuse calls now or wait for a trial call. */
  paused(): readonly PausedCircuits[];
}

/**
 * State of a circuit that does not let every call through. `open`: no account's calls are sent. `open_for_accounts`:
 * calls of some accounts are not sent. `half_open`: the next call is a trial.
 */
export type PausedState = 'open' | 'open_for_accounts' | 'half_open';

export interface PausedCircuits {
  readonly connector: string;
  readonly state: PausedState;
  readonly count: number;
}

/** Key of the circuit of a connection and an upstream origin. It begins with the id of the connector. */
export const breakerKey = (
  { connector, connectionId }: { readonly connector: string; readonly connectionId: string },
  origin: string,
): string => `${connector} ${connectionId} ${origin}`;

const connectorIn = (key: string): string => key.slice(0, key.indexOf(' '));

const PAUSE_MS = 5000;
const MOST_CIRCUITS = 10_000;

const notNow = (waitMs: number): ServiceError =>
  new ServiceError(
    'unavailable',
    'The circuit breaker is open: the upstream of this connection does not respond, and nothing was sent. Retry later.',
    { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
  );

/** Creates the circuit breaker. `now` returns milliseconds since any fixed time. */
export function createBreaker({ now }: { readonly now: () => number }): Breaker {
  const circuits = new LRUCache<string, Circuit>(entryLimit(MOST_CIRCUITS));

  function circuitOf(key: string): Circuit {
    const known = circuits.get(key);
    if (known) return known;
    const circuit = newCircuit();
    circuits.set(key, circuit);
    return circuit;
  }

  function refuseIfPaused(pause: Pause, account: string): void {
    const isLast = pause.triedBy === account;
    // An account whose trial call failed waits longer if other accounts are waiting, because its own request may be the
    // cause of the failure.
    const waitMs = pause.until + (isLast && pause.isAwaited ? PAUSE_MS : 0) - now();
    if (waitMs <= 0) return;
    if (!isLast) pause.isAwaited = true;
    throw notNow(waitMs);
  }

  /** Returns the pause of the account if a trial call may be sent now. Throws `unavailable` if it may not. */
  function checkPause(circuit: Circuit | undefined, account: string): Pause | undefined {
    const pause = circuit?.pause;
    if (!pause || (pause.of !== 'everybody' && !pause.of.has(account))) return undefined;
    refuseIfPaused(pause, account);
    return pause;
  }

  function record(circuit: Circuit, account: string, verdict: Verdict): void {
    if (verdict === 'nothing') return;
    const isFailed = verdict === 'failed';
    count(circuit, { account, isFailed, now: now() });
    const { pause } = circuit;
    const isPaused = pause?.of === 'everybody' || pause?.of.has(account);
    if (!isFailed || isPaused || !isBad(circuit, now())) return;
    circuit.pause = {
      until: now() + PAUSE_MS,
      of: whoFails(circuit, now()),
      triedBy: undefined,
      isAwaited: false,
    };
  }

  /**
   * Lets one trial call through, whose outcome decides for all accounts. If the trial call never ends, another one is
   * allowed after 5 s.
   */
  function beginTrial(circuit: Circuit, pause: Pause, account: string): (verdict: Verdict) => void {
    Object.assign(pause, { until: now() + PAUSE_MS, triedBy: account, isAwaited: false });
    return (verdict) => {
      if (verdict === 'responded') Object.assign(circuit, newCircuit());
      else pause.until = verdict === 'failed' ? now() + PAUSE_MS : now();
    };
  }

  function stateOf({ of, until }: Pause): PausedState {
    if (until <= now()) return 'half_open';
    return of === 'everybody' ? 'open' : 'open_for_accounts';
  }

  function paused(): readonly PausedCircuits[] {
    const counts = new Map<string, PausedCircuits>();
    for (const [key, { pause }] of circuits.entries()) {
      if (pause === undefined) continue;
      const [connector, state] = [connectorIn(key), stateOf(pause)];
      const name = `${connector} ${state}`;
      counts.set(name, { connector, state, count: (counts.get(name)?.count ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  return {
    paused,
    check: (key, account) => void checkPause(circuits.get(key), account),
    enter: (key, account) => {
      const circuit = circuitOf(key);
      const pause = checkPause(circuit, account);
      return pause ? beginTrial(circuit, pause, account) : (verdict) => record(circuit, account, verdict);
    },
  };
}

// Reasons of `connection_failed` that the upstream or the network causes. All other reasons are caused by the request,
// the caller or a setting, so they do not open the circuit.
const FAULTS: readonly unknown[] = [
  'refused',
  'closed',
  'unknown_host',
  'tls',
  'invalid_response',
  'egress_proxy',
];
const GATEWAY_FAULTS: readonly number[] = [502, 503, 504];

/** Maps a response status to an outcome. 502, 503 and 504 come from a gateway whose upstream does not respond. */
export const verdictOf = (status: number): Verdict =>
  GATEWAY_FAULTS.includes(status) ? 'failed' : 'responded';

export function verdictOfError(error: unknown): Verdict {
  if (!(error instanceof ServiceError)) return 'nothing';
  if (error.code === 'upstream_timeout') return 'failed';
  const isFault = error.code === 'connection_failed' && FAULTS.includes(error.details?.['reason']);
  return isFault ? 'failed' : 'nothing';
}
