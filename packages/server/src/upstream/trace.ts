/** How a call went on its way upstream, written down by those who take part in it. */
export interface Trace {
  /** Requests that were sent: more than one where one was repeated, or where a tool takes several. */
  attempts: number;
  /** Whether its credential was renewed. */
  isRefreshed: boolean;
  /** How long it waited for the upstream's answers, up to their bodies. */
  upstreamMs: number;
  /** How long it waited for its turn. */
  waitedMs: number;
}

export const newTrace = (): Trace => ({ attempts: 0, isRefreshed: false, upstreamMs: 0, waitedMs: 0 });
