import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLoopWatch } from './loop-watch.js';

function spin(ms: number): void {
  const { user } = process.threadCpuUsage();
  while ((process.threadCpuUsage().user - user) / 1000 < ms);
}

test('the loop watch names a request that blocks the event loop, and no request that only waits', async () => {
  const send = async (request: string) => {
    await wait(5);
    if (request === 'busy') spin(80);
    else await wait(60);
  };
  const watch = createLoopWatch(send);
  const requests = ['idle', 'busy', 'other'];
  for (const request of requests) watch.started(request);
  await Promise.all(requests.map((request) => send(request).finally(() => watch.ended(request))));
  const [blocking, ...more] = await watch.holding();
  expect([blocking?.request, more]).toEqual(['busy', []]);
  expect(blocking?.ms).toBeGreaterThan(50);
});
