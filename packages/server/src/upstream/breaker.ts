import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { ServiceError } from '../errors.js';
import { type Circuit, count, isBad, newCircuit, type Pause, whoFails } from './circuit.js';

/**
 * Outcome of a call, reported to the circuit breaker. `nothing`: the outcome says nothing about the upstream, as after
 * an abort by the caller.
 */
export type Verdict = 'answered' | 'failed' | 'nothing';

/**
 * Circuit breaker (rule F4). Pauses calls to an upstream that does not respond: all calls, or only those of the failing accounts
 * while others succeed.
 */
export interface Breaker {
  /** Throws `unavailable` while the circuit breaker pauses the account. Begins no call. */
  check(key: string, account: string): void;
  /**
   * Begins a call. Throws `unavailable` while the account is paused. Otherwise returns the function that takes the
   * outcome of the call.
   */
  enter(key: string, account: string): (verdict: Verdict) => void;
}

const PAUSE_MS = 5000;
const MOST_CIRCUITS = 10_000;

const notNow = (waitMs: number): ServiceError =>
  new ServiceError(
    'unavailable',
    'The circuit breaker is open: the upstream of this connection does not respond, and nothing was sent. Retry later.',
    { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
  );

/** Creates the circuit breaker. `now` returns milliseconds since any fixed moment. */
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
    // An account whose trial call failed waits longer while other accounts wait: its own request may be the cause.
    const waitMs = pause.until + (isLast && pause.isAwaited ? PAUSE_MS : 0) - now();
    if (waitMs <= 0) return;
    if (!isLast) pause.isAwaited = true;
    throw notNow(waitMs);
  }

  /** Returns the pause of the account when a trial call is due. Throws `unavailable` before that time. */
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
   * Lets one trial call through, whose outcome decides for all accounts. If it never ends, another trial is allowed
   * after 5 s.
   */
  function beginTrial(circuit: Circuit, pause: Pause, account: string): (verdict: Verdict) => void {
    Object.assign(pause, { until: now() + PAUSE_MS, triedBy: account, isAwaited: false });
    return (verdict) => {
      if (verdict === 'answered') Object.assign(circuit, newCircuit());
      else pause.until = verdict === 'failed' ? now() + PAUSE_MS : now();
    };
  }

  return {
    check: (key, account) => void checkPause(circuits.get(key), account),
    enter: (key, account) => {
      const circuit = circuitOf(key);
      const pause = checkPause(circuit, account);
      return pause ? beginTrial(circuit, pause, account) : (verdict) => record(circuit, account, verdict);
    },
  };
}

// Reasons of `connection_failed` that are faults of the upstream or of the network. All other reasons are faults of the
// request, the caller or a setting, and do not open the circuit.
const FAULTS: readonly unknown[] = [
  'refused',
  'closed',
  'unknown_host',
  'tls',
  'invalid_response',
  'egress_proxy',
];
const GATEWAY_FAULTS: readonly number[] = [502, 503, 504];

/** Maps a response status to an outcome. 502, 503 and 504 mean that the upstream behind a gateway does not respond. */
export const verdictOf = (status: number): Verdict =>
  GATEWAY_FAULTS.includes(status) ? 'failed' : 'answered';

export function verdictOfError(error: unknown): Verdict {
  if (!(error instanceof ServiceError)) return 'nothing';
  if (error.code === 'upstream_timeout') return 'failed';
  const isFault = error.code === 'connection_failed' && FAULTS.includes(error.details?.['reason']);
  return isFault ? 'failed' : 'nothing';
}
