import { expect, test, vi } from 'vitest';
import { answered } from './postgres-answer.js';

const never = () => new Promise<string>(() => undefined);

test('F6: a connection that gives no answer is lost', async () => {
  const onLost = vi.fn();
  await expect(answered(never(), { waitMs: 5, lookMs: 5, onLost })).rejects.toThrow('gave no answer');
  expect(onLost).toHaveBeenCalledTimes(1);
});

test('an answer in time is the answer, a failure too', async () => {
  const onLost = vi.fn();
  expect(await answered(Promise.resolve('yes'), { onLost })).toBe('yes');
  await expect(answered(Promise.reject(new Error('no')), { onLost })).rejects.toThrow('no');
  expect(onLost).not.toHaveBeenCalled();
});

test('R2: what has arrived while the process stood still is looked at before it is given up', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  setTimeout(() => resolve('late'), 20);
  expect(await answered(promise, { waitMs: 1, lookMs: 5000 })).toBe('late');
});
