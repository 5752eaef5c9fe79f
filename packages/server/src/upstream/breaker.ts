import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { ServiceError } from '../errors.js';
import { type Circuit, count, isBad, newCircuit, type Pause, whoFails } from './circuit.js';

/** What a call tells of its upstream; `nothing` where it cannot know, such as when its caller went away. */
export type Verdict = 'answered' | 'failed' | 'nothing';

/**
 * Keeps calls from an upstream that does not answer (rule F4): everybody's, or those of the accounts alone that get no answers where
 * others do.
 */
export interface Breaker {
  /** Throws unavailable while nothing may be sent. */
  check(key: string, account: string): void;
  /** Throws unavailable, or lets the call through; it must tell how it ended. */
  enter(key: string, account: string): (verdict: Verdict) => void;
}

const PAUSE_MS = 5000;
const MOST_CIRCUITS = 10_000;

const notNow = (waitMs: number): ServiceError =>
  new ServiceError(
    'unavailable',
    'The upstream of this connection does not answer, so nothing was sent to it. Try again later.',
    { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
  );

/** `now` counts milliseconds, from whatever moment. */
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
    // Whose call failed lets others try first, where there are any: the fault may be in what this one asks for.
    const waitMs = pause.until + (isLast && pause.isAwaited ? PAUSE_MS : 0) - now();
    if (waitMs <= 0) return;
    if (!isLast) pause.isAwaited = true;
    throw notNow(waitMs);
  }

  /** The pause in which the account holds still; throws while it must. */
  function pauseOf(circuit: Circuit | undefined, account: string): Pause | undefined {
    const pause = circuit?.pause;
    if (!pause || (pause.of !== 'everybody' && !pause.of.has(account))) return undefined;
    refuseIfPaused(pause, account);
    return pause;
  }

  function judge(circuit: Circuit, account: string, verdict: Verdict): void {
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

  // One call tries for all. Others get their try after another pause, should it never end.
  function tryFor(circuit: Circuit, pause: Pause, account: string): (verdict: Verdict) => void {
    Object.assign(pause, { until: now() + PAUSE_MS, triedBy: account, isAwaited: false });
    return (verdict) => {
      if (verdict === 'answered') Object.assign(circuit, newCircuit());
      else pause.until = verdict === 'failed' ? now() + PAUSE_MS : now();
    };
  }

  return {
    check: (key, account) => void pauseOf(circuits.get(key), account),
    enter: (key, account) => {
      const circuit = circuitOf(key);
      const pause = pauseOf(circuit, account);
      return pause ? tryFor(circuit, pause, account) : (verdict) => judge(circuit, account, verdict);
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
