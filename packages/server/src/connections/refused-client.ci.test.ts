import { expect, test } from 'vitest';
import { rounds } from '../../test/support/runner/rounds.js';
import { createTenant, type Tenant } from '../../test/support/service/create-tenant.js';
import type { Credential } from './credential.js';
import type { ResolvedAccount } from './resolved-account.js';

const ACCOUNTS = rounds(1_000, 50);
const AT_ONCE = 10;
const REFUSED = { code: 'connection_not_configured', details: { statusReason: 'invalid_client' } };

/** Connects ACCOUNTS accounts, lets their tokens expire, and changes the client secret at the upstream. */
async function createRefused() {
  const tenant = await createTenant({ parts: { jitter: () => 0.999 } });
  const users: ResolvedAccount[] = [];
  for (let user = 0; user < ACCOUNTS; user += 1) users.push(await tenant.connect(`user_${user}`));
  tenant.clock.advance(2 * 3_600_000);
  tenant.upstream.changeClientSecret('another');
  return { ...tenant, users, requests: () => tenant.upstream.tokenRequests('refresh_token').length };
}

/** Requests the credential of every account once, in groups of a hundred concurrent requests. */
async function useAll({ credentials }: Pick<Tenant, 'credentials'>, users: readonly ResolvedAccount[]) {
  const uses: PromiseSettledResult<Credential>[] = [];
  for (let first = 0; first < users.length; first += 100) {
    const some = users.slice(first, first + 100);
    uses.push(...(await Promise.allSettled(some.map((account) => credentials.current(account)))));
  }
  return uses;
}

const rowsOf = ({ database }: Tenant) => database.selectFrom('accounts').selectAll().orderBy('id').execute();

const eventsOf = async ({ database }: Tenant, action: string) =>
  (await database.selectFrom('auditEvents').selectAll().where('action', '=', action).execute()).length;

test(`R8: a refused client keeps ${ACCOUNTS} accounts, marks their connection once, and is rarely retried`, async () => {
  const tenant = await createRefused();
  const { users, clock, connections, applicationId, connection, requests } = tenant;
  const before = await rowsOf(tenant);
  for (const seconds of [1, 2, 4, 8]) {
    const sent = requests();
    for (const use of await useAll(tenant, users)) {
      expect(use).toMatchObject({ status: 'rejected', reason: REFUSED });
    }
    await useAll(tenant, users);
    expect(requests() - sent).toBeGreaterThan(0);
    expect(requests() - sent).toBeLessThanOrEqual(AT_ONCE);
    clock.advance(seconds * 1000);
  }

  expect(await rowsOf(tenant)).toEqual(before);
  expect(await connections.get(applicationId, 'mail')).toMatchObject({ statusReason: 'invalid_client' });
  expect(await eventsOf(tenant, 'connection.refused_by_upstream')).toBe(1);
  expect(await eventsOf(tenant, 'account.reauthorization_required')).toBe(0);

  await connections.update(applicationId, connection.connectionName, { clientSecret: 'another' });
  const sent = requests();
  for (const use of await useAll(tenant, users)) expect(use).toMatchObject({ status: 'fulfilled' });
  expect(requests() - sent).toBe(ACCOUNTS);
  expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
}, 600_000);

test.each(['invalid_client', 'unauthorized_client'])(
  'R8: %s for the refresh token of one user does not block others while the server knows the client',
  async (error) => {
    const { connect, clock, credentials, upstream, connections, account, applicationId } =
      await createTenant();
    const [ada, grace] = [await connect('ada'), await connect('grace')];
    clock.advance(2 * 3_600_000);
    // The upstream refuses only this user's token request, as if an organization had blocked the application.
    upstream.script(() => ({ status: 400, body: { error } }));
    await expect(credentials.current(ada)).rejects.toMatchObject({ code: 'unavailable' });
    await credentials.current(grace);
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
    expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
    clock.advance(2000);
    await credentials.current(ada);
  },
);

test('R8: a client that is accepted again has no backoff from earlier refusals', async () => {
  const tenant = await createTenant({ parts: { jitter: () => 0.999 } });
  const { connect, clock, credentials, upstream } = tenant;
  const ada = await connect('ada');
  const refuse = async () => {
    clock.advance(2 * 3_600_000);
    upstream.changeClientSecret('another');
    await expect(credentials.current(ada)).rejects.toMatchObject(REFUSED);
  };
  for (let time = 0; time < 5; time += 1) await refuse();
  clock.advance(2 * 3_600_000);
  upstream.changeClientSecret(upstream.clientSecret);
  await credentials.current(ada);
  await refuse();
  upstream.changeClientSecret(upstream.clientSecret);
  clock.advance(1000);
  await credentials.current(ada);
});
