import { TimeoutError } from './errors.js';
import type { CallOptions } from './tool.js';

const LONGEST_TIMER = 2_147_483_647;

/** Ends the work when its time is over or the caller's signal aborts, whatever it waits for just then. */
export async function withDeadline<Result>(
  options: Pick<CallOptions, 'signal'> & { timeout: number },
  work: (signal: AbortSignal, deadline: number) => Promise<Result>,
): Promise<Result> {
  const timeout = Math.min(options.timeout, LONGEST_TIMER);
  const clock = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, clock.signal]) : clock.signal;
  signal.throwIfAborted();
  const timer = setTimeout(() => {
    const message = `No answer within ${timeout} ms; the call may still take effect`;
    clock.abort(new TimeoutError('timeout', message));
  }, timeout);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    return await Promise.race([work(signal, Date.now() + timeout), aborted]);
  } finally {
    clearTimeout(timer);
  }
}
