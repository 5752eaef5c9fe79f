import { describe, expect, test } from 'vitest';
import type { RateBuckets } from '../storage/rate-buckets-table.js';
import { createRateLimiter } from './rate-limiter.js';
import { createSharedRates } from './shared-rates.js';

const RATE = { name: 'application', perSecond: 50 };
const BURST = 100;
const STEP_MS = 10;

/** Starts instances that share one rate limit bucket. Bucket and clock are in memory instead of the database. */
async function startInstances(count: number) {
  let time = 0;
  let fullAt = 0;
  let isReachable = true;
  const requests = { count: 0 };
  const now = () => time;
  const rateBuckets: RateBuckets = {
    take: async (inputs) => {
      requests.count += 1;
      if (!isReachable) throw new Error('down');
      return inputs.map(({ key, used, wanted, burst, perSecond }) => {
        const step = 1000 / perSecond;
        fullAt = Math.max(time, Math.max(time, fullAt) + used * step);
        const granted = Math.min(wanted, Math.max(0, burst - (fullAt - time) / step));
        fullAt += granted * step;
        return { key, granted, left: burst - (fullAt - time) / step };
      });
    },
  };
  const faults: unknown[] = [];
  const instances = Array.from({ length: count }, (_, index) => {
    const shared = createSharedRates({
      rateBuckets,
      instances: { heartbeat: async () => count, delete: async () => undefined },
      instanceId: `inst_${index}`,
      now,
      onError: (error) => faults.push(error),
    });
    return { shared, limiter: createRateLimiter({ rate: RATE, now, sharing: shared.sharing }) };
  });
  for (const { shared } of instances) await shared.meet();
  let allowed = 0;

  /** Advances the clock by `ms` while instance i gets `perSecond[i]` calls. Returns the number of allowed calls. */
  async function pass(ms: number, perSecond: readonly number[]): Promise<number> {
    const before = allowed;
    for (let step = 0; step < ms / STEP_MS; step += 1) {
      time += STEP_MS;
      for (const [index, { limiter, shared }] of instances.entries()) {
        const rate = (perSecond[index] ?? 0) * (STEP_MS / 1000);
        const calls = Math.floor((step + 1) * rate) - Math.floor(step * rate);
        for (let call = 0; call < calls; call += 1) if (limiter.take('app_1').isAllowed) allowed += 1;
        if (time % 200 === index * STEP_MS) await shared.exchange();
        if (time % 1000 === 0 && isReachable) await shared.meet();
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return allowed - before;
  }
  const cut = () => {
    isReachable = false;
  };
  return { pass, cut, requests, faults };
}

const expected = (seconds: number) => BURST + RATE.perSecond * seconds;

describe('A9: instances share one limit within 10 %', () => {
  test.each([
    { title: 'both at ten times the limit', perSecond: [500, 500] },
    { title: 'one at ten times the limit, one idle', perSecond: [500, 0] },
    { title: 'one busy, one below its share', perSecond: [500, 10] },
    { title: 'one busy, one nearly idle', perSecond: [500, 2] },
    { title: 'four instances', perSecond: [200, 100, 100, 20] },
    { title: 'ten instances', perSecond: [100, 100, 100, 100, 50, 50, 50, 50, 10, 10] },
  ])('$title', async ({ perSecond }) => {
    const { pass } = await startInstances(perSecond.length);
    const allowed = await pass(10_000, perSecond);
    expect(allowed / expected(10)).toBeGreaterThan(0.9);
    expect(allowed / expected(10)).toBeLessThan(1.1);
  });
});

test('A9: callers that switch between instances keep their limit', async () => {
  const { pass } = await startInstances(2);
  let allowed = 0;
  for (let round = 0; round < 10; round += 1)
    allowed += await pass(1000, round % 2 === 0 ? [500, 0] : [0, 500]);
  expect(allowed / expected(10)).toBeGreaterThan(0.9);
  expect(allowed / expected(10)).toBeLessThan(1.1);
});

test('A9: callers below the limit are never refused, however they are distributed', async () => {
  for (const perSecond of [
    [48, 0],
    [24, 24],
    [40, 8],
    [8, 40],
  ]) {
    const { pass } = await startInstances(2);
    expect(await pass(10_000, perSecond)).toBe(480);
  }
});

test('A9: the database is queried a few times per second, independently of the number of calls', async () => {
  const { pass, requests } = await startInstances(2);
  await pass(10_000, [5000, 5000]);
  expect(requests.count).toBeLessThan(10 * 2 * 15);
  const quiet = await startInstances(2);
  await quiet.pass(10_000, [2, 2]);
  expect(quiet.requests.count).toBe(0);
});

test('A9: a burst after an exchange without a request gets more calls before the next exchange', async () => {
  const { pass } = await startInstances(2);
  await pass(500, [20]);
  // The first exchange without calls completes the permits, and the second one has nothing to request.
  await pass(400, [0]);
  expect(await pass(100, [600])).toBe(60);
});

test('A9: each instance allows an equal share during a database outage and logs it once', async () => {
  const { pass, cut, faults } = await startInstances(2);
  await pass(2000, [500, 500]);
  cut();
  await pass(3000, [500, 500]);
  const allowed = await pass(10_000, [500, 500]);
  expect(allowed / 500).toBeGreaterThan(0.9);
  expect(allowed / 500).toBeLessThan(1.1);
  expect(faults).toHaveLength(2);
});
