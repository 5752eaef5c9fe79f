import { expect, test, vi } from 'vitest';
import { createFreeBuffers } from './free-buffers.js';

const MIB = 1024 * 1024;

test('P9: what has passed is freed after every 16 MiB, and the collector is looked for when it is needed', () => {
  const collect = vi.fn();
  const find = vi.fn(() => collect);
  const passed = createFreeBuffers(find);
  const piece = Buffer.alloc(MIB);
  for (let count = 0; count < 15; count += 1) passed(piece);
  expect(find).not.toHaveBeenCalled();
  for (let count = 0; count < 18; count += 1) passed(piece);
  expect(find).toHaveBeenCalledOnce();
  expect(collect.mock.calls).toEqual([[{ type: 'minor' }], [{ type: 'minor' }]]);
});

/** Passes pieces that nobody keeps, and gives the most bytes that were held at any moment. */
function mostHeld(passed: (piece: Buffer) => void): number {
  let most = 0;
  for (let count = 0; count < 48 * 16; count += 1) {
    passed(Buffer.alloc(64 * 1024));
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }
  return most;
}

test('P9: the collector of this Node frees the buffers of bodies', () => {
  const before = process.memoryUsage().arrayBuffers;
  const passed = createFreeBuffers();
  // A thread of its own frees what was collected; a busy machine may keep it waiting.
  const rounds = Array.from({ length: 5 }, () => mostHeld(passed));
  expect((Math.min(...rounds) - before) / MIB).toBeLessThan(20);
});
