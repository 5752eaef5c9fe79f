import { expect, test } from 'vitest';
import { createBodyMemory } from './body-memory.js';

/** Reserves single bytes until a reservation is refused, at most `most` bytes. Returns the number of reserved bytes. */
function fill({ tryTake }: { tryTake(bytes: number): boolean }, most: number): number {
  let taken = 0;
  while (taken < most && tryTake(1)) taken += 1;
  return taken;
}

test('F5: one application gets half of the memory, two get a third each, and one share stays free', () => {
  const memory = createBodyMemory(120);
  const ada = memory.open('ada');
  expect(fill(ada, 1000)).toBe(60);
  expect(fill(memory.open('grace'), 1000)).toBe(30);
  ada.release();
  const again = memory.open('ada');
  expect(fill(again, 1000)).toBe(45);
  expect(memory.open('mary').tryTake(23)).toBe(false);
  expect(memory.open('mary').tryTake(22)).toBe(true);
});

test('F5: the calls of an application share its part, and each releases its memory once', () => {
  const memory = createBodyMemory(120);
  const [first, second] = [memory.open('ada'), memory.open('ada')];
  first.take(50);
  expect(fill(second, 1000)).toBe(10);
  first.release();
  first.release();
  expect(fill(second, 1000)).toBe(50);
  second.release();
  expect(fill(memory.open('ada'), 1000)).toBe(60);
});

test('F5: a call without memory gets Retry-After', () => {
  const holding = createBodyMemory(100).open('ada');
  expect(() => holding.take(51)).toThrow(
    expect.objectContaining({ code: 'unavailable', details: { retryAfter: 1, reason: 'memory' } }),
  );
});

test('memory requested after the end of a call is not counted', () => {
  const memory = createBodyMemory(100);
  const holding = memory.open('ada');
  holding.release();
  holding.take(1000);
  expect(memory.open('ada').tryTake(50)).toBe(true);
});
