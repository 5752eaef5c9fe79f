import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIds, pooled } from './random.js';

test('random returns the requested number of different bytes each time', () => {
  let requested = 0;
  const random = pooled((bytes) => {
    requested += 1;
    return randomBytes(bytes);
  });
  const drawn = Array.from({ length: 1000 }, () => random(12).toString('hex'));
  expect(new Set(drawn).size).toBe(1000);
  expect(drawn.every((hex) => hex.length === 24)).toBe(true);
  expect(requested).toBe(3);
  expect(random(10_000)).toHaveLength(10_000);
});

test('random bytes do not change later', () => {
  const random = pooled(randomBytes);
  const first = random(16);
  const before = first.toString('hex');
  for (let count = 0; count < 1000; count += 1) random(16);
  expect(first.toString('hex')).toBe(before);
});

test('ids of one kind are unique and begin with the time', () => {
  const newRequestId = createIds('req', randomBytes);
  const before = Date.now();
  const ids = Array.from({ length: 1000 }, newRequestId);
  const after = Date.now();
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) {
    expect(id).toMatch(/^req_[0-9a-f]{24}$/);
    const at = Number.parseInt(id.slice(4, 16), 16);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
  }
});
