import { failureReason, ServiceError } from '../errors.js';
import type { SendHttp } from '../http/send-http.js';
import { type Breaker, verdictOf, verdictOfError } from './breaker.js';
import { type Trace, traceRequest } from './trace.js';

/** Outcome of one request to an upstream: its status, or the reason why there is no response. */
export type AttemptOutcome = number | 'timeout' | 'failed' | 'other';

/** Called after each request to an upstream, with the time in milliseconds until the head of its response. */
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

/** Wraps `send`, so that each attempt passes the circuit breaker and is measured. */
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
