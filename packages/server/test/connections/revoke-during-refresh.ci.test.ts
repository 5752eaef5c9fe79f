import { expect, test } from 'vitest';
import { startFleet } from '../support/processes/fleet.js';
import { fetchReply } from '../support/service/application.js';

test('O21: an account revoked during a refresh stays revoked on every instance, including the new tokens', async () => {
  const { sandbox, services, gate, application: caller, ...fleet } = await startFleet({ count: 2 });
  const [first, last] = [services[0], services.at(-1)];
  if (first === undefined || last === undefined) throw new Error('There is no process.');
  const id = await fleet.connect('ada');
  for (const each of services) expect(await fleet.call(each, 'ada')).toMatchObject({ status: 200 });
  await sandbox.expireTokens('workspace');
  const { paused, release } = fleet.pauseTokens('response');
  const served = fleet.call(first, 'ada');
  await paused;
  const revoking = fetchReply(`${last.url}/v1/accounts/${id}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.accessToken}` },
  });
  // Checks readiness, because the response to this later request proves that the process has received the earlier
  // revocation too.
  expect(await fetchReply(`${last.url}/readyz`)).toMatchObject({ status: 200 });
  release();
  expect([200, 409]).toContain((await served).status);
  expect((await revoking).json()).toMatchObject({
    status: 'reauthorization_required',
    upstream: 'revoked',
  });
  const brought = gate.exchanges.findLast(({ sent }) => sent.includes('"refresh_token"'))?.received ?? '{}';
  const revocation = gate.exchanges.findLast(({ path }) => path.endsWith('/revoke'));
  expect(revocation?.sent).toContain(JSON.parse(brought).refresh_token);
  for (const each of services)
    await expect.poll(async () => (await fleet.call(each, 'ada')).status, { timeout: 6000 }).toBe(409);
  expect(await fleet.statusOf(id)).toMatchObject({ statusReason: 'revoked_by_application' });
}, 60_000);
