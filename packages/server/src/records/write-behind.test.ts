import { expect, onTestFinished, test, vi } from 'vitest';
import { createWriteBehind } from './write-behind.js';

test('a row is written 100 ms after the first row that waits, as the documentation says', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const rows = createWriteBehind<{ readonly applicationId: string; readonly id: string }>({
    insert: async (batch) => void written.push(...batch.map(({ id }) => id)),
    onError: () => undefined,
    onDropped: () => undefined,
  });

  rows.add({ applicationId: 'app_1', id: 'first' });
  await vi.advanceTimersByTimeAsync(60);
  rows.add({ applicationId: 'app_1', id: 'second' });
  await vi.advanceTimersByTimeAsync(39);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual(['first', 'second']);
});
