import type { Clock } from './clock.js';
import { DEFAULT_DIALS, type Dials, type FailNext, type RateLimit, turn } from './dials.js';

export interface Fault {
  readonly status: number;
  readonly body?: unknown;
  readonly headers: Record<string, string>;
}

export interface IncomingCall {
  readonly method: string;
  /** The upstream's own path, without the sandbox's prefix. */
  readonly path: string;
  /** True for authorization, token and consent requests. */
  readonly isOAuth: boolean;
}

/** The dials of one upstream, and the failures that they ask for. */
export interface Faults {
  dials(): Dials;
  turn(changes: Partial<Dials>): Dials;
  /** The failure that this request has to be answered with, if any. */
  next(call: IncomingCall): Fault | undefined;
  reset(): void;
}

type Counter<Argument = void> = (argument: Argument) => Fault | undefined;

export function createFaults(clock: Clock): Faults {
  let dials = DEFAULT_DIALS;
  let failNext: Counter<IncomingCall> = () => undefined;
  let overRate: Counter = () => undefined;
  let shareOfErrors: Counter = () => undefined;

  // A dial that is turned, even to the same value, counts from the start.
  const apply = (changes: Partial<Dials>) => {
    dials = turn(dials, changes);
    if ('failNext' in changes) failNext = countFailures(dials.failNext);
    if ('rateLimit' in changes) overRate = countRate(dials.rateLimit, clock);
    if ('errorRate' in changes) shareOfErrors = countErrors(dials.errorRate);
    return dials;
  };

  return {
    dials: () => dials,
    turn: apply,
    next: (call) => failNext(call) ?? (call.isOAuth ? undefined : (overRate() ?? shareOfErrors())),
    reset: () => void apply(DEFAULT_DIALS),
  };
}

function countFailures(plan: FailNext | null): Counter<IncomingCall> {
  let passed = 0;
  let failed = 0;
  return (call) => {
    if (plan === null || !matches(plan, call)) return undefined;
    if (passed++ < (plan.after ?? 0)) return undefined;
    if (failed++ >= plan.count) return undefined;
    return { status: plan.status, body: plan.body, headers: plan.headers ?? {} };
  };
}

function matches({ match }: FailNext, call: IncomingCall): boolean {
  if (match === undefined) return !call.isOAuth;
  if (match.method !== undefined && match.method.toUpperCase() !== call.method) return false;
  return match.path === undefined ? !call.isOAuth : call.path.startsWith(match.path);
}

function countRate(limit: RateLimit | null, clock: Clock): Counter {
  if (limit === null) return () => undefined;
  const length = limit.perSeconds * 1000;
  let startedAt = clock.now();
  let requests = 0;
  return () => {
    const now = clock.now();
    if (now - startedAt >= length) {
      startedAt = now;
      requests = 0;
    }
    requests += 1;
    if (requests <= limit.requests) return undefined;
    const left = Math.ceil((startedAt + length - now) / 1000);
    return { status: 429, headers: { 'retry-after': String(limit.retryAfterSeconds ?? left) } };
  };
}

// Errors are owed rather than drawn, so that a run can be repeated.
function countErrors(share: number): Counter {
  let owed = 0;
  return () => {
    owed += share;
    if (owed < 1) return undefined;
    owed -= 1;
    return { status: 500, headers: {} };
  };
}
