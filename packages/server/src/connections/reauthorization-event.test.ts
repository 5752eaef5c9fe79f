import { expect, test } from 'vitest';
import { createConnected, HOUR_MS } from '../../test/support/service/create-connected.js';
import { createDiscovered } from '../../test/support/service/create-discovered.js';
import type { Tenant } from '../../test/support/service/create-tenant.js';

async function endings({ storage }: Pick<Tenant, 'storage'>) {
  const events = await storage.auditEvents.list({ limit: 100 });
  return events.filter(({ action }) => action === 'account.reauthorization_required');
}

const ending = (applicationId: string, object: string, reason: string) =>
  expect.objectContaining({
    applicationId,
    object,
    actor: 'test',
    requestId: 'req_test',
    address: '192.0.2.1',
    result: 'done',
    reason,
  });

test('L2: a refused refresh token writes one audit event, however often the account is used', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, applicationId } = tenant;
  clock.advance(HOUR_MS);
  upstream.script(() => ({ status: 400, body: { error: 'invalid_grant' } }));
  for (let use = 0; use < 3; use += 1) {
    await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
  }
  expect(await endings(tenant)).toEqual([ending(applicationId, resolved.id, 'refresh_refused')]);
});

/** Connects an account without a refresh token, so that its access token cannot be renewed. */
async function createUnrenewable() {
  const tenant = await createDiscovered();
  tenant.upstream.script(() => ({ status: 200, body: { access_token: 'once', token_type: 'bearer' } }));
  const resolved = await tenant.connect('ada');
  return { ...tenant, resolved, refused: await tenant.refusedToken(resolved) };
}

test('L2: a refused token without renewal writes one audit event for all calls', async () => {
  const tenant = await createUnrenewable();
  const { handleChallenge, resolved, refused, applicationId } = tenant;
  const heard = await Promise.allSettled(Array.from({ length: 5 }, () => handleChallenge(resolved, refused)));
  expect(heard.map(({ status }) => status)).toContain('rejected');
  await handleChallenge(resolved, refused);
  expect(await endings(tenant)).toEqual([ending(applicationId, resolved.id, 'token_refused')]);
});

test('L1: a refused token does not end the access while its audit event cannot be written', async () => {
  const { handleChallenge, resolved, refused, database, row } = await createUnrenewable();
  const before = await row('ada');
  await database.schema.dropTable('auditEvents').execute();
  await expect(handleChallenge(resolved, refused)).rejects.toThrow();
  expect(await row('ada')).toEqual(before);
});
