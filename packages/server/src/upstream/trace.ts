/** Measurements of a call, filled by everything that takes part in it. */
export interface Trace {
  /** Requests that were sent: more than one after a retry, or for a tool with several requests. */
  attempts: number;
  /** True when the credential was renewed. */
  isRefreshed: boolean;
  /** Milliseconds until the heads of the upstream's responses. */
  upstreamMs: number;
  /** Milliseconds in the queue. */
  waitedMs: number;
}

export const newTrace = (): Trace => ({ attempts: 0, isRefreshed: false, upstreamMs: 0, waitedMs: 0 });
