/**
 * Forward proxies for outgoing requests (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`), and the hosts that the service
 * reaches without a proxy (`NO_PROXY`).
 */
export interface EgressProxies {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  /** Fallback for a protocol that has no proxy of its own. */
  readonly all?: string | undefined;
  readonly direct: readonly string[];
}
