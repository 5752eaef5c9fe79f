import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below those that the kernel gives to outgoing connections, and apart, because a service takes the second one above, too.
// Above 10080, the last of those that fetch refuses to ask.
const FIRST = 10_100;
const COUNT = 5_475;
const STEP = 4;

// Processes that test at the same time walk from places of their own: two that drew each port would draw the same one.
let place = randomInt(COUNT);

/** The next port of this process's walk. */
export function nextPort(): number {
  place = (place + 1) % COUNT;
  return FIRST + STEP * place;
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
