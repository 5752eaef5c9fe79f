import { expect, test } from 'vitest';
import { createServiceParts } from '../../test/support/service/service-parts.js';
import { createCommit } from './commit.js';
import { createRefusedAddresses } from './refused-addresses.js';

async function createRefused() {
  const parts = await createServiceParts();
  const errors: unknown[] = [];
  const caller = { actor: 'app_1', applicationId: 'app_1', requestId: 'req_1', address: '192.0.2.1' };
  const base = { ...parts, caller: () => caller };
  const refused = createRefusedAddresses({
    ...base,
    commit: createCommit(base),
    onError: (error) => errors.push(error),
  });
  const events = async () => {
    await refused.written();
    const events = await parts.storage.auditEvents.list({ limit: 100 });
    return events.filter(({ action }) => action === 'address.refused');
  };
  return { ...parts, refused, events, errors, caller };
}

test('L2: a refused address is recorded with its caller', async () => {
  const { refused, events, caller, now } = await createRefused();
  refused.record('10.0.0.1');
  expect(await events()).toEqual([
    {
      ...caller,
      id: expect.stringMatching(/^audit_/),
      at: now(),
      action: 'address.refused',
      object: '10.0.0.1',
      result: 'refused',
      reason: null,
    },
  ]);
});

test('L2: repeated calls are recorded once a minute', async () => {
  const { refused, events, clock } = await createRefused();
  for (let index = 0; index < 100; index += 1) refused.record('10.0.0.1');
  expect(await events()).toHaveLength(1);
  clock.advance(60_000);
  refused.record('10.0.0.1');
  expect(await events()).toHaveLength(2);
});

test('L2: a caller with forged hosts is recorded at most thirty times a minute', async () => {
  const { refused, events } = await createRefused();
  for (let index = 0; index < 100; index += 1) refused.record(`10.0.0.${index}`);
  expect(await events()).toHaveLength(30);
});
