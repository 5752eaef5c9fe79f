import { expect, test } from 'vitest';
import { EXECUTION } from '../../test/support/databases/sample-rows.js';
import { createClock } from '../../test/support/service/service-parts.js';
import type { Tables } from '../storage/storage.js';
import { createDescribeFailure, MAX_PER_MINUTE } from './failed-executions.js';

test('F5: failures above 60 per minute are only counted, and the next event has their number', async () => {
  const clock = createClock();
  const describeFailure = createDescribeFailure({ now: clock.now });
  const tables = { accounts: { findName: async () => undefined } } as unknown as Tables;
  const describe = async () => (await describeFailure(tables, { ...EXECUTION, status: 502 }))?.data;
  for (let at = 0; at < MAX_PER_MINUTE; at += 1) expect(await describe()).toMatchObject({ unreported: 0 });
  for (let at = 0; at < 7; at += 1) expect(await describe()).toBeUndefined();
  expect(await describeFailure(tables, { ...EXECUTION, applicationId: 'app_2', status: 502 })).toMatchObject({
    data: { unreported: 0 },
  });
  clock.advance(60_001);
  expect(await describe()).toMatchObject({ unreported: 7, status: 502 });
  expect(await describe()).toMatchObject({ unreported: 0 });
});
