/** One request that a call sent to an upstream. */
export interface SentRequest {
  /** Time in milliseconds from sending the request until its response headers arrived or it failed. */
  readonly ms: number;
  /**
   * Time in milliseconds that the call paused before this request. It is 0 unless the request repeats an earlier one.
   */
  readonly pauseMs: number;
  /** Status of the response, or the reason why no response arrived, such as `timeout`. */
  readonly outcome: number | string;
}

/** Measurements of one call. The credential lookup, the queue, the retries and the HTTP client update them. */
export interface Trace {
  /**
   * Number of requests that were sent to the upstream, including retries. Tools with several requests send more than
   * one.
   */
  attempts: number;
  /** True if the account's credential was refreshed during the call. */
  isRefreshed: boolean;
  /** True if a request carried the account's main credential. Other requests prove nothing about that credential. */
  isMainCredentialSent: boolean;
  /**
   * Time in milliseconds from sending a request until the upstream's response headers arrived, summed over all
   * requests.
   */
  upstreamMs: number;
  /** Time in milliseconds that the call waited in the queue of the limiter. */
  waitedMs: number;
  /** Time in milliseconds that the call paused before it repeated requests, summed over all pauses. */
  pausedMs: number;
  /**
   * Value of `pausedMs` when the last request ended. Subtracting it from `pausedMs` gives the pause before the next
   * request.
   */
  countedPauseMs: number;
  /** First requests of the call, at most `MAX_REQUESTS`. */
  readonly requests: SentRequest[];
}

/** Maximum number of a call's requests that its execution describes individually. */
const MAX_REQUESTS = 10;

export const newTrace = (): Trace => ({
  attempts: 0,
  isRefreshed: false,
  isMainCredentialSent: false,
  upstreamMs: 0,
  waitedMs: 0,
  pausedMs: 0,
  countedPauseMs: 0,
  requests: [],
});

/** Adds the time that a call waited for a free slot to its measurements. */
export async function traceWait<Slot>(slot: Promise<Slot>, trace: Trace): Promise<Slot> {
  const began = performance.now();
  try {
    return await slot;
  } finally {
    trace.waitedMs += performance.now() - began;
  }
}

/** Adds a request that has ended to the measurements of the call that sent it. */
export function traceRequest(trace: Trace, ms: number, outcome: SentRequest['outcome']): void {
  trace.upstreamMs += ms;
  if (trace.requests.length < MAX_REQUESTS)
    trace.requests.push({ ms, pauseMs: trace.pausedMs - trace.countedPauseMs, outcome });
  trace.countedPauseMs = trace.pausedMs;
}
