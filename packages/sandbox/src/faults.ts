import type { Clock } from './clock.js';
import { DEFAULT_DIALS, type Dials, type FailNext, type RateLimit, setDials } from './dials.js';

export interface Fault {
  readonly status: number;
  readonly body?: unknown;
  readonly headers: Record<string, string>;
}

export interface IncomingCall {
  readonly method: string;
  /** Path at the emulated service, without the sandbox's prefix for this service. */
  readonly path: string;
  readonly isOAuth: boolean;
  readonly caller: string;
}

export type Faults = ReturnType<typeof createFaults>;

type Count = () => Fault | undefined;
type CountOf<Call> = (call: Call) => Fault | undefined;

interface FaultsOptions {
  readonly clock: Clock;
  readonly ownLimit: RateLimit | undefined;
  /** True if the emulated service's own rate limit applies by default, before a test changes the dials. */
  readonly isLimited: boolean;
}

export function createFaults({ clock, ownLimit, isLimited }: FaultsOptions) {
  const initial: Dials = { ...DEFAULT_DIALS, rateLimit: isLimited ? 'own' : null };
  let dials = initial;
  let failNext: CountOf<IncomingCall> = () => undefined;
  let overRate: CountOf<IncomingCall> = isLimited ? countOwnRate(ownLimit, clock) : () => undefined;
  let shareOfErrors: Count = () => undefined;

  // Setting a dial restarts its counters, even if the value stays equal.
  const apply = (changes: Partial<Dials>) => {
    dials = setDials(dials, changes);
    if ('failNext' in changes) failNext = countFailures(dials.failNext);
    if ('rateLimit' in changes)
      overRate =
        dials.rateLimit === 'own' ? countOwnRate(ownLimit, clock) : countRate(dials.rateLimit, clock);
    if ('errorRate' in changes) shareOfErrors = countErrors(dials.errorRate);
    return dials;
  };

  return {
    dials: () => dials,
    setDials: apply,
    next: (call: IncomingCall) =>
      failNext(call) ?? (call.isOAuth ? undefined : (overRate(call) ?? shareOfErrors())),
    reset: () => void apply(initial),
  };
}

function countFailures(plan: FailNext | null): CountOf<IncomingCall> {
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

/** Counts requests per access token. Deletes the counter of a token after a window without requests, to free memory. */
function countOwnRate(limit: RateLimit | undefined, clock: Clock): CountOf<IncomingCall> {
  if (limit === undefined) return () => undefined;
  const counters = new Map<string, { readonly count: Count; readonly until: number }>();
  return ({ caller }) => {
    if (caller === '') return undefined;
    const now = clock.now();
    for (const [known, { until }] of counters) if (until <= now) counters.delete(known);
    const counter = counters.get(caller) ?? {
      count: countRate(limit, clock),
      until: now + limit.perSeconds * 1000,
    };
    counters.set(caller, counter);
    return counter.count();
  };
}

function countRate(limit: RateLimit | null, clock: Clock): Count {
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

// Failures are evenly spaced instead of random, because a test run must be repeatable.
function countErrors(share: number): Count {
  let owed = 0;
  return () => {
    owed += share;
    if (owed < 1) return undefined;
    owed -= 1;
    return { status: 500, headers: {} };
  };
}
