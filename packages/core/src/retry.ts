import { ServiceError, UpstreamError } from './errors.js';

export interface RetryRules {
  /** How often at most. */
  most: number;
  /** Running it twice does no harm. */
  isSafe: boolean;
  /** When the whole call has to be over, in milliseconds since 1970. */
  deadline: number;
  signal: AbortSignal;
}

/** Repeats a call where that is right, after as long as the answer asks for, else with back-off and jitter. */
export async function withRetries<Result>(run: () => Promise<Result>, rules: RetryRules): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await run();
    } catch (error) {
      if (retries >= rules.most || !isTemporary(error, rules.isSafe)) throw error;
      const wait = (error.retryAfter ?? Math.random() * 2 ** retries) * 1000;
      if (Date.now() + wait > rules.deadline) throw error;
      await sleep(wait, rules.signal);
    }
  }
}

function isTemporary(error: unknown, isSafe: boolean): error is ServiceError {
  // An upstream's failure was already repeated by the service, where the connector allows it.
  if (!(error instanceof ServiceError) || error instanceof UpstreamError) return false;
  // Nothing ran when the service answered 429.
  return error.status === 429 || (isSafe && (error.code === 'connection_failed' || error.status > 501));
}

const sleep = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
