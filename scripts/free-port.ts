import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Ports above those of `packages/server/test/support/processes/new-port.ts` and below the kernel's ephemeral ports,
// which outgoing connections use. A block has four ports: the lock, the port, an unused one, and the proxy port of a
// service, which is its port plus 2.
const FIRST = 26_500;
const BLOCK = 4;
const COUNT = 1560;

/**
 * Listens on a port of 127.0.0.1. Resolves to a function that stops listening, or to undefined if the port is in use.
 */
function tryListen(port: number): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const server = createServer().unref();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      resolve(() => new Promise((done) => server.close(() => done()))),
    );
  });
}

async function isFree(port: number): Promise<boolean> {
  const stop = await tryListen(port);
  await stop?.();
  return stop !== undefined;
}

/**
 * Returns a free TCP port on 127.0.0.1 for a program that this process starts. The port plus 2 is free too. No other
 * caller of this function gets them before this process ends, because the process listens on the port below as a lock.
 */
export async function freePort(): Promise<number> {
  const start = randomInt(COUNT);
  for (let count = 0; count < COUNT; count += 1) {
    const lock = FIRST + BLOCK * ((start + count) % COUNT);
    const unlock = await tryListen(lock);
    if (unlock === undefined) continue;
    if ((await isFree(lock + 1)) && (await isFree(lock + 3))) return lock + 1;
    await unlock();
  }
  throw new Error(
    `Each port from ${FIRST} to ${FIRST + BLOCK * COUNT} is in use. End the programs that use them.`,
  );
}
