import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below those that the kernel gives to outgoing connections, and apart, because a service takes the second one above, too.
// Above 10080, the last of those that fetch refuses to ask.
const FIRST = 10_100;
const STEP = 4;

// Number of workers with a port range each. Workers at the same time need different ranges, because a probed port looks free to
// all of them.
const MOST_WORKERS = 16;
const COUNT = 340;
const own = (Number(process.env['VITEST_POOL_ID'] ?? 0) % MOST_WORKERS) * COUNT * STEP + FIRST;

// Another run of the tests beside this one begins elsewhere.
let place = randomInt(COUNT);

/** The next port of this worker's walk. */
export function nextPort(): number {
  place = (place + 1) % COUNT;
  return own + STEP * place;
}

/** A port on which nothing listens, and which stays free while the service is down. */
export function newPort(): Promise<number> {
  const port = nextPort();
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(newPort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}
