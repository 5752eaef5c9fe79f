/** Trace that the caller of a request belongs to, from the request header `traceparent`. */
export interface CallerTrace {
  /** Trace id: 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** Value of the caller's header `traceparent`, converted to version 00 of its format. */
  readonly traceparent: string;
}

// W3C Trace Context level 1. Later versions may append fields after another "-"; version ff and ids of zeros are
// invalid.
const TRACE_PARENT =
  /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;
const LENGTH = 55;

/**
 * Reads the header `traceparent`. Returns `undefined` if it is absent or invalid, because a request must not fail
 * because of its trace.
 */
export function readTraceParent(header: string | readonly string[] | undefined): CallerTrace | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, parentId, flags] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || (version === '00' && header.length > LENGTH)) return undefined;
  return { traceId, traceparent: `00-${traceId}-${parentId}-${flags}` };
}
