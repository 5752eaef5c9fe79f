/** Measurements of one call. The credentials, the queue and the HTTP client add to them. */
export interface Trace {
  /** Number of requests sent upstream. Retries and tools with several requests send more than one. */
  attempts: number;
  /** True when the account's credential was renewed during the call. */
  isRefreshed: boolean;
  /** Milliseconds until the response headers of the upstream arrived, summed over all requests. */
  upstreamMs: number;
  /** Milliseconds that the call waited in the queue of the limiter. */
  waitedMs: number;
}

export const newTrace = (): Trace => ({ attempts: 0, isRefreshed: false, upstreamMs: 0, waitedMs: 0 });
