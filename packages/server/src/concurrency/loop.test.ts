import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startLoop } from './loop.js';

// The loop pauses after a long run with a timer that does not keep the process alive. A `close` that waited for this
// timer would never end.
test('close ends the pause after a long run at once', async () => {
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(60_000);
  const work = vi.fn(async () => undefined);
  const loop = startLoop({ prepare: async () => undefined, work, onError: vi.fn() });
  await vi.waitFor(() => expect(work).toHaveBeenCalledOnce());
  const onClosed = vi.fn();
  const closed = loop.close().then(onClosed);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(onClosed).toHaveBeenCalledOnce();
  await closed;
  vi.restoreAllMocks();
});

test('the work runs although its preparation fails, and one failure is reported', async () => {
  const work = vi.fn(async () => undefined);
  const onError = vi.fn();
  const loop = startLoop({ prepare: () => Promise.reject(new Error('no database')), work, onError });
  await vi.waitFor(() => expect(work).toHaveBeenCalledOnce());
  loop.wake();
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
  await loop.close();
  expect(onError).toHaveBeenCalledOnce();
});
