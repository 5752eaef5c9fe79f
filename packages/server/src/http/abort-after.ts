const TICKS = 10;

/**
 * Returns a signal that aborts after `timeoutMs`. Time during which the process was suspended is not counted, so that
 * the process can read responses that arrived meanwhile before the signal aborts.
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
      controller.abort(
        new DOMException('The request took longer than its timeout. Retry later.', 'TimeoutError'),
      );
    };
    setTimeout(tick, tickMs).unref();
  };
  wait(TICKS);
  return controller.signal;
}
