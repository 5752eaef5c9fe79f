import { expect, onTestFinished, test, vi } from 'vitest';
import { addApplication, createServiceParts } from '../../test/support/service-parts.js';
import { ServiceError } from '../errors.js';
import { createIdempotency } from './idempotency.js';

test('A13: a call that goes on while the database was away keeps its key as soon as that is back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const parts = await createServiceParts();
  const { database, storage, clock } = parts;
  let isAway = false;
  const update: typeof storage.idempotencyKeys.update = async (...given) => {
    if (isAway) throw new ServiceError('unavailable', 'The database is away.');
    return storage.idempotencyKeys.update(...given);
  };
  const idempotencyKeys = { ...storage.idempotencyKeys, update };
  const idempotency = createIdempotency({ ...parts, storage: { ...storage, idempotencyKeys } });
  const call = { applicationId: await addApplication(parts, 'Acme Notes'), key: 'k', request: 'POST /make' };
  const begun = await idempotency.begin(call);
  isAway = true;
  clock.advance(20_000);
  vi.advanceTimersByTime(20_000);
  clock.advance(20_000);
  isAway = false;
  const row = () => database.selectFrom('idempotencyKeys').select('leaseUntil').executeTakeFirst();
  await expect.poll(row).toEqual({ leaseUntil: clock.now() + 60_000 });
  if ('run' in begun) await begun.run.release();
});
