import { expect, onTestFinished, test, vi } from 'vitest';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { ServiceError } from '../errors.js';
import { createIdempotency } from './idempotency.js';

async function createAway() {
  const parts = await createServiceParts();
  let isAway = false;
  const check = () => {
    if (isAway) throw new ServiceError('unavailable', 'The database is away.');
  };
  const { idempotencyKeys: original } = parts.storage;
  const idempotencyKeys: typeof original = {
    ...original,
    update: async (...given) => {
      check();
      return original.update(...given);
    },
    delete: async (...given) => {
      check();
      return original.delete(...given);
    },
  };
  const idempotency = createIdempotency({ ...parts, storage: { ...parts.storage, idempotencyKeys } });
  const call = { applicationId: await addApplication(parts, 'Acme Notes'), key: 'k', request: 'POST /make' };
  const begun = await idempotency.begin(call);
  if (!('run' in begun)) throw new Error('It has begun before.');
  const setAway = (value: boolean) => {
    isAway = value;
  };
  return { ...parts, idempotency, call, run: begun.run, setAway };
}

test('A13: a call that runs during a database outage renews its idempotency key afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { database, clock, run, setAway } = await createAway();
  setAway(true);
  clock.advance(20_000);
  vi.advanceTimersByTime(20_000);
  clock.advance(20_000);
  setAway(false);
  const row = () => database.selectFrom('idempotencyKeys').select('leaseUntil').executeTakeFirst();
  await expect.poll(row).toEqual({ leaseUntil: clock.now() + 60_000 });
  await run.release();
});

test('A13: a call that may be retried releases its idempotency key after a database outage', async () => {
  const { idempotency, call, run, setAway } = await createAway();
  setAway(true);
  const released = run.release();
  setAway(false);
  await released;
  const again = await idempotency.begin(call);
  expect(again).toHaveProperty('run');
  if ('run' in again) await again.run.release();
});
