const POLL_MS = 500;

/**
 * Calls `stop` once the parent process has ended, if npx started this process. npx runs the service in a shell. A
 * signal to npx ends this shell, and does not reach the service.
 */
export function whenNpxEnds(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'npx') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, POLL_MS).unref();
}
