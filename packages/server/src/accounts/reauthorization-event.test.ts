import { expect, test } from 'vitest';
import { createConnected, HOUR_MS } from '../../test/support/create-connected.js';

test('L2: a refused refresh token is told of once, however often the account is used then', async () => {
  const { credentials, resolved, clock, upstream, storage, applicationId } = await createConnected();
  clock.advance(HOUR_MS);
  upstream.script(() => ({ status: 400, body: { error: 'invalid_grant' } }));
  for (let use = 0; use < 3; use += 1) {
    await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
  }
  const events = await storage.auditEvents.list({ limit: 100 });
  expect(events.filter(({ action }) => action === 'account.reauthorization_required')).toEqual([
    expect.objectContaining({
      applicationId,
      object: resolved.id,
      actor: 'test',
      requestId: 'req_test',
      address: '192.0.2.1',
      result: 'done',
      reason: 'refresh_refused',
    }),
  ]);
});
