import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startEventLoop } from './event-loop.js';

// The pause after a long run keeps no process alive, so a stop that waits for it would never end.
test('close ends the pause after a long run at once', async () => {
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(60_000);
  const deliver = vi.fn(async () => undefined);
  const loop = startEventLoop({ fanOut: async () => undefined, deliver, onError: vi.fn() });
  await vi.waitFor(() => expect(deliver).toHaveBeenCalledOnce());
  const onClosed = vi.fn();
  const closed = loop.close().then(onClosed);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(onClosed).toHaveBeenCalledOnce();
  await closed;
  vi.restoreAllMocks();
});
