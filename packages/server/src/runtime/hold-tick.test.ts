import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { held, holdTick } from './hold-tick.js';

const nextTick = (): Promise<object> =>
  new Promise((resolve) => process.nextTick(() => resolve(executionAsyncResource())));

/** Whether the engine takes both for built in the same way. */
function areAlike(one: object | undefined, other: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  return new Function('one', 'other', 'return %HaveSameMap(one, other)')(one, other);
}

test('keeps an object that is built as all later ticks are', async () => {
  holdTick();
  const tick = await nextTick();
  expect(tick).not.toBe(held[0]);
  expect(areAlike(held[0], tick)).toBe(true);
  expect(areAlike({}, tick)).toBe(false);
});
