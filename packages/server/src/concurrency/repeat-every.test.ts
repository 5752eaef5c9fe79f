import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeatEvery } from './repeat-every.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('repeatEvery repeats the work, continues after an error, and stops when it is closed', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 1) throw new Error('once');
  };
  const repeated = repeatEvery(1000, { work, onError: (error) => errors.push(error) });
  await vi.advanceTimersByTimeAsync(3000);
  await repeated.close();
  await vi.advanceTimersByTimeAsync(3000);
  expect([runs, errors]).toEqual([3, [new Error('once')]]);
});

test('repeatEvery never overlaps two runs, and closing waits for the current run', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  const work = () => {
    runs += 1;
    return promise;
  };
  const repeated = repeatEvery(1000, { work, onError: () => {} });
  await vi.advanceTimersByTimeAsync(5000);
  expect(runs).toBe(1);
  let isClosed = false;
  const closing = repeated.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(isClosed).toBe(false);
  resolve();
  await closing;
});
