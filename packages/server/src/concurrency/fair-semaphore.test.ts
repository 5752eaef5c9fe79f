import { expect, test } from 'vitest';
import { createFairSemaphore } from './fair-semaphore.js';

/** Runs tasks under a semaphore. Returns their names in the order of their start, and functions that end them. */
function createWorks(count: number) {
  const withPermit = createFairSemaphore(count);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (owner: string, name: string, waitMs = 60_000) =>
    withPermit(
      owner,
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      waitMs,
    );
  return { begin, begun, end: (name: string) => ends.get(name)?.() };
}

test('F5: an owner never gets the last permit, and waiting owners alternate', async () => {
  const { begin, begun, end } = createWorks(4);
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const works = names.map((name) => begin(name.slice(0, 1), name));
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  end('a1');
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  end('a2');
  end('a3');
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4']);
  for (const name of ['b1', 'c1', 'a4', 'b2']) {
    await expect.poll(() => begun).toContain(name);
    end(name);
  }
  expect(await Promise.all(works)).toEqual(names);
});

test('F5: work that times out takes no permit', async () => {
  const { begin, begun, end } = createWorks(1);
  const first = begin('a', 'a1');
  expect(await begin('b', 'too late', 1)).toBeUndefined();
  end('a1');
  await first;
  const second = begin('b', 'b1');
  await expect.poll(() => begun).toEqual(['a1', 'b1']);
  end('b1');
  expect(await second).toBe('b1');
});
