import { expect, test } from 'vitest';
import { EVENT } from '../../../test/support/databases/sample-rows.js';
import { exportText } from './export-text.js';

test('F5: an export reads only as far as it is consumed, and aborts at its timeout', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield { ...EVENT, at: '2026-01-01T00:00:00.000Z' };
    }
  }
  let isLate = false;
  const text = exportText(endless(), { columns: ['id'], format: 'jsonl', isLate: () => isLate })[
    Symbol.asyncIterator
  ]();
  expect((await text.next()).value?.split('\n')).toHaveLength(201);
  expect(read).toBe(200);
  isLate = true;
  await expect(text.next()).rejects.toThrow('took longer than five minutes');
});
