import { expect, test } from 'vitest';
import { sleep } from './sleep.js';

test('a pause ends as a disconnection, and not as a fault, when the caller disconnects', async () => {
  const caller = new AbortController();
  const pause = sleep(60_000, caller.signal);
  caller.abort();
  await expect(pause).rejects.toMatchObject({ code: 'connection_failed', details: { reason: 'aborted' } });
});
