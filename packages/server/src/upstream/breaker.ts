import { LRUCache } from 'lru-cache';
import { atMost } from '../at-most.js';
import { ServiceError } from '../errors.js';

/** What a call tells of its upstream; `nothing` where it cannot know, such as when its caller went away. */
export type Verdict = 'answered' | 'failed' | 'nothing';

/** Keeps calls from an upstream that does not answer (rule F4). */
export interface Breaker {
  /** Throws unavailable while nothing may be sent. */
  check(key: string): void;
  /** Throws unavailable, or lets the call through; it must tell how it ended. */
  enter(key: string): (verdict: Verdict) => void;
}

interface Second {
  readonly at: number;
  calls: number;
  failures: number;
}

interface Circuit {
  /** The last seconds, each at its number modulo their count. */
  readonly seconds: Second[];
  /** Until then nothing is sent, then one call may try; `undefined` while all is well. */
  openUntil: number | undefined;
}

const WINDOW_SECONDS = 10;
const LEAST_CALLS = 20;
const WORST_SHARE = 0.5;
const PAUSE_MS = 5000;
const MOST_CIRCUITS = 10_000;

const notNow = (waitMs: number): ServiceError =>
  new ServiceError(
    'unavailable',
    'The upstream of this connection does not answer, so nothing was sent to it. Try again later.',
    { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
  );

const newCircuit = (): Circuit => ({
  seconds: Array.from({ length: WINDOW_SECONDS }, () => ({ at: 0, calls: 0, failures: 0 })),
  openUntil: undefined,
});

function count({ seconds }: Circuit, verdict: Verdict, now: number): void {
  const at = Math.floor(now / 1000);
  const kept = seconds[at % WINDOW_SECONDS];
  const second = kept?.at === at ? kept : { at, calls: 0, failures: 0 };
  seconds[at % WINDOW_SECONDS] = second;
  second.calls += 1;
  if (verdict === 'failed') second.failures += 1;
}

function isBad({ seconds }: Circuit, now: number): boolean {
  const since = Math.floor(now / 1000) - WINDOW_SECONDS;
  const recent = seconds.filter(({ at }) => at > since);
  const calls = recent.reduce((sum, second) => sum + second.calls, 0);
  const failures = recent.reduce((sum, second) => sum + second.failures, 0);
  return calls >= LEAST_CALLS && failures >= calls * WORST_SHARE;
}

/** `now` counts milliseconds, from whatever moment. */
export function createBreaker({ now }: { readonly now: () => number }): Breaker {
  const circuits = new LRUCache<string, Circuit>(atMost(MOST_CIRCUITS));

  function circuitOf(key: string): Circuit {
    const known = circuits.get(key);
    if (known) return known;
    const circuit = newCircuit();
    circuits.set(key, circuit);
    return circuit;
  }

  function refuseIfOpen(circuit: Circuit | undefined): void {
    const waitMs = (circuit?.openUntil ?? Number.NEGATIVE_INFINITY) - now();
    if (waitMs > 0) throw notNow(waitMs);
  }

  function judge(circuit: Circuit, verdict: Verdict): void {
    if (verdict === 'nothing') return;
    count(circuit, verdict, now());
    if (verdict === 'failed' && circuit.openUntil === undefined && isBad(circuit, now())) {
      circuit.openUntil = now() + PAUSE_MS;
    }
  }

  // One call tries for all. Others get their try after another pause, should it never end.
  function judgeTrial(circuit: Circuit, verdict: Verdict): void {
    if (verdict === 'answered') Object.assign(circuit, newCircuit());
    else circuit.openUntil = verdict === 'failed' ? now() + PAUSE_MS : now();
  }

  return {
    check: (key) => refuseIfOpen(circuits.get(key)),
    enter: (key) => {
      const circuit = circuitOf(key);
      refuseIfOpen(circuit);
      if (circuit.openUntil === undefined) return (verdict) => judge(circuit, verdict);
      circuit.openUntil = now() + PAUSE_MS;
      return (verdict) => judgeTrial(circuit, verdict);
    },
  };
}

// Faults of the upstream or of the way to it; others are of the request, of its caller or of a setting.
const FAULTS: readonly unknown[] = ['refused', 'closed', 'unknown_host', 'tls', 'invalid_response'];
const GATEWAY_FAULTS: readonly number[] = [502, 503, 504];

/** An answer of a gateway says that what stands behind it does not answer. */
export const verdictOf = (status: number): Verdict =>
  GATEWAY_FAULTS.includes(status) ? 'failed' : 'answered';

export function verdictOfError(error: unknown): Verdict {
  if (!(error instanceof ServiceError)) return 'nothing';
  if (error.code === 'upstream_timeout') return 'failed';
  const isFault = error.code === 'connection_failed' && FAULTS.includes(error.details?.['reason']);
  return isFault ? 'failed' : 'nothing';
}
