/** Measurements of one call. The credential lookup, the queue and the HTTP client update them. */
export interface Trace {
  /**
   * Number of requests that were sent to the upstream, including retries. Tools with several requests send more than
   * one.
   */
  attempts: number;
  /** True if the account's credential was refreshed during the call. */
  isRefreshed: boolean;
  /** Time in milliseconds until the upstream's response headers arrived, summed over all requests. */
  upstreamMs: number;
  /** Time in milliseconds that the call waited in the queue of the limiter. */
  waitedMs: number;
}

export const newTrace = (): Trace => ({ attempts: 0, isRefreshed: false, upstreamMs: 0, waitedMs: 0 });
