import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// First port of the tests. Their ports are below the kernel's ephemeral ports, and above 10080, the last port that
// `fetch` blocks. Ports are 4 apart, because a service also listens on its port plus 2. `scripts/free-port.ts` uses the
// ports above.
const FIRST = 10_100;
const STEP = 4;

// Number of workers with a port range each. Concurrent workers need different ranges, because a probed port looks free
// to all of them.
const MOST_WORKERS = 16;
const COUNT = 256;
const own = (Number(process.env['VITEST_POOL_ID'] ?? 0) % MOST_WORKERS) * COUNT * STEP + FIRST;

// Start within the range is random, because another test run on this machine uses the same range.
let offset = randomInt(COUNT);

/** Returns the next port in this worker's range, without a check that it is free. */
export function nextPort(): number {
  offset = (offset + 1) % COUNT;
  return own + STEP * offset;
}

/** Returns a free port. No other test of this run takes it while the service is stopped. */
export function newPort(): Promise<number> {
  const port = nextPort();
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(newPort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}
