import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { abortAfter } from './abort-after.js';

/** Blocks the event loop, so that no timer or socket event runs, as if SIGSTOP had suspended the process. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('the signal aborts with a TimeoutError after its time', async () => {
  const signal = abortAfter(50);
  expect(signal.aborted).toBe(false);
  await expect.poll(() => signal.aborted).toBe(true);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('R2: a pause of the process does not count towards the timeout', async () => {
  const signal = abortAfter(1000);
  standStill(1500);
  await wait(0);
  expect(signal.aborted).toBe(false);
  await wait(500);
  expect(signal.aborted).toBe(false);
  await expect.poll(() => signal.aborted, { timeout: 5000 }).toBe(true);
});
