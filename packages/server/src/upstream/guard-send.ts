import { failureReason, ServiceError } from '../errors.js';
import type { SendHttp } from '../http/send-http.js';
import { type Breaker, verdictOf, verdictOfError } from './breaker.js';
import { type Trace, traceRequest } from './trace.js';

/** Outcome of one request to an upstream: the response status, or the reason why no response arrived. */
export type AttemptOutcome = number | 'timeout' | 'failed' | 'other';

/**
 * Called after each request to an upstream. `ms`: time in milliseconds until the response headers arrived or the
 * request failed.
 */
export type OnAttempt = (connector: string, ms: number, outcome: AttemptOutcome) => void;

interface Guard {
  readonly breaker: Breaker;
  readonly key: string;
  readonly accountId: string;
  readonly connector: string;
  readonly trace: Trace;
  readonly onAttempt: OnAttempt | undefined;
}

function outcomeOf(error: unknown): AttemptOutcome {
  if (error instanceof ServiceError && error.code === 'upstream_timeout') return 'timeout';
  return verdictOfError(error) === 'failed' ? 'failed' : 'other';
}

/**
 * Returns a copy of `send` that measures each attempt. The circuit breaker can refuse an attempt, and gets its outcome.
 */
export function guardSend(
  send: SendHttp,
  { breaker, key, accountId, connector, trace, onAttempt }: Guard,
): SendHttp {
  return async function sendGuarded(request) {
    const report = breaker.enter(key, accountId);
    const began = performance.now();
    trace.attempts += 1;
    let outcome: AttemptOutcome = 'other';
    let ended: number | string = 'other';
    try {
      const response = await send(request);
      outcome = response.status;
      ended = outcome;
      report(verdictOf(response.status));
      return response;
    } catch (error) {
      outcome = outcomeOf(error);
      ended = outcome === 'timeout' ? outcome : failureReason(error);
      report(verdictOfError(error));
      throw error;
    } finally {
      const ms = performance.now() - began;
      traceRequest(trace, ms, ended);
      onAttempt?.(connector, ms, outcome);
    }
  };
}
