const TICKS = 10;

/**
 * Aborts after a time in which the process ran. A process that stood still, as in a suspended machine, first reads the response
 * that arrived meanwhile: a plain timer would abort the request before that.
 */
export function abortAfter(timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  const tickMs = timeoutMs / TICKS;
  const wait = (left: number) => {
    const begun = performance.now();
    const tick = () => {
      const isLate = performance.now() - begun > 2 * tickMs + TICKS;
      const remaining = isLate ? left : left - 1;
      if (remaining > 0) return wait(remaining);
      controller.abort(new DOMException('The time is over.', 'TimeoutError'));
    };
    setTimeout(tick, tickMs).unref();
  };
  wait(TICKS);
  return controller.signal;
}
