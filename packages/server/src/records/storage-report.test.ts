import { expect, test } from 'vitest';
import { createStorageReport } from './storage-report.js';

const HOUR = 3_600_000;

test.each([
  { title: 'expired an hour ago', time: Date.now() - HOUR, isReported: true },
  { title: 'expires in an hour', time: Date.now() + HOUR, isReported: false },
  { title: 'has an invalid time', time: -1e300, isReported: false },
])('the report contains the oldest row that $title: $isReported', async ({ time, isReported }) => {
  const size = { table: 'authorization_links', rows: 1, isEstimated: false, bytes: 4096 };
  const { read } = createStorageReport({
    storage: {
      freeSpace: { ofFile: async () => undefined, giveBack: async () => {}, writeAnew: async () => {} },
      sizes: { list: async () => [size], oldest: async () => time },
    },
  });
  const oldest = isReported ? { oldest: new Date(time).toISOString() } : {};
  expect((await read()).tables).toEqual([{ ...size, ...oldest, ages: ['ended'] }]);
});
