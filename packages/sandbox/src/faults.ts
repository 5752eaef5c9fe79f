import type { Clock } from './clock.js';
import { DEFAULT_DIALS, type Dials, type FailNext, turn } from './dials.js';

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

export function createFaults(clock: Clock): Faults {
  let dials = { ...DEFAULT_DIALS };
  let passed = 0;
  let failed = 0;
  let owedErrors = 0;
  let window = { startedAt: 0, requests: 0 };

  const failNext = (call: IncomingCall): Fault | undefined => {
    const plan = dials.failNext;
    if (plan === null || !matches(plan, call)) return undefined;
    if (passed++ < (plan.after ?? 0)) return undefined;
    if (failed++ >= plan.count) return undefined;
    return { status: plan.status, body: plan.body, headers: plan.headers ?? {} };
  };

  const overRate = (): Fault | undefined => {
    const limit = dials.rateLimit;
    if (limit === null) return undefined;
    const now = clock.now();
    if (now - window.startedAt >= limit.perSeconds * 1000) window = { startedAt: now, requests: 0 };
    window.requests += 1;
    if (window.requests <= limit.requests) return undefined;
    const left = Math.ceil((window.startedAt + limit.perSeconds * 1000 - now) / 1000);
    return { status: 429, headers: { 'retry-after': String(limit.retryAfterSeconds ?? left) } };
  };

  // Errors are owed rather than drawn, so that a run can be repeated.
  const randomError = (): Fault | undefined => {
    owedErrors += dials.errorRate;
    if (owedErrors < 1) return undefined;
    owedErrors -= 1;
    return { status: 500, headers: {} };
  };

  return {
    dials: () => dials,
    turn(changes) {
      dials = turn(dials, changes);
      if ('failNext' in changes) passed = failed = 0;
      if ('errorRate' in changes) owedErrors = 0;
      if ('rateLimit' in changes) window = { startedAt: clock.now(), requests: 0 };
      return dials;
    },
    next: (call) => failNext(call) ?? (call.isOAuth ? undefined : (overRate() ?? randomError())),
    reset() {
      dials = { ...DEFAULT_DIALS };
      passed = failed = owedErrors = 0;
    },
  };
}

function matches({ match }: FailNext, call: IncomingCall): boolean {
  if (match === undefined) return !call.isOAuth;
  if (match.method !== undefined && match.method.toUpperCase() !== call.method) return false;
  return match.path === undefined ? !call.isOAuth : call.path.startsWith(match.path);
}
