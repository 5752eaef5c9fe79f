import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.js';

const all = () => true;

test('an owner with many queued items gets one item per round', () => {
  const queue = createFairQueue<string>(all);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add([item.slice(0, 1)], item);
  const taken = Array.from({ length: 7 }, queue.take);
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});

test('a removed item is neither taken nor counted', () => {
  const queue = createFairQueue<string>(all);
  const leave = queue.add(['a', 'b'], 'first');
  queue.add(['a', 'b'], 'second');
  leave();
  leave();
  expect([queue.size([]), queue.size(['a']), queue.size(['a', 'b']), queue.size(['b'])]).toEqual([
    1, 1, 1, 0,
  ]);
  expect([queue.take(), queue.take(), queue.size([])]).toEqual(['second', undefined, 0]);
});

test('removing a taken item changes nothing', () => {
  const queue = createFairQueue<string>(all);
  const leave = queue.add(['a'], 'first');
  queue.add(['a'], 'second');
  queue.take();
  leave();
  expect(queue.size(['a'])).toBe(1);
});

test('an owner without capacity keeps its position in the round', () => {
  let full = 'a';
  const queue = createFairQueue<string>((key) => key !== full);
  for (const item of ['a1', 'a2', 'b1', 'b2']) queue.add([item.slice(0, 1)], item);
  expect(queue.take()).toBe('b1');
  full = '';
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['a1', 'b2', 'a2']);
});
