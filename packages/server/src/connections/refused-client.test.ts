import { expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../test/support/create-tenant.js';
import { rounds } from '../../test/support/rounds.js';
import type { Credential } from './credential.js';
import type { ResolvedAccount } from './resolved-account.js';

const ACCOUNTS = rounds(1_000, 50);
const AT_ONCE = 10;
const REFUSED = { code: 'connection_not_configured', details: { statusReason: 'invalid_client' } };

/** A connection with so many accounts, whose tokens have all ended, and whose client secret is the wrong one now. */
async function createRefused() {
  const tenant = await createTenant({ parts: { jitter: () => 0.999 } });
  const users: ResolvedAccount[] = [];
  for (let user = 0; user < ACCOUNTS; user += 1) users.push(await tenant.connect(`user_${user}`));
  tenant.clock.advance(2 * 3_600_000);
  tenant.upstream.changeClientSecret('another');
  return { ...tenant, users, requests: () => tenant.upstream.tokenRequests('refresh_token').length };
}

/** Every account once, a hundred at a time. */
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

test(`R8: a refused client leaves ${ACCOUNTS} accounts as they were, marks their connection once, and is asked about seldom`, async () => {
  const tenant = await createRefused();
  const { users, clock, connections, applicationId, connection, requests } = tenant;
  const before = await rowsOf(tenant);
  for (const seconds of [1, 2, 4, 8]) {
    const asked = requests();
    for (const use of await useAll(tenant, users)) {
      expect(use).toMatchObject({ status: 'rejected', reason: REFUSED });
    }
    await useAll(tenant, users);
    expect(requests() - asked).toBeGreaterThan(0);
    expect(requests() - asked).toBeLessThanOrEqual(AT_ONCE);
    clock.advance(seconds * 1000);
  }

  expect(await rowsOf(tenant)).toEqual(before);
  expect(await connections.get(applicationId, 'mail')).toMatchObject({ statusReason: 'invalid_client' });
  expect(await eventsOf(tenant, 'connection.refused_by_upstream')).toBe(1);
  expect(await eventsOf(tenant, 'account.reauthorization_required')).toBe(0);

  await connections.update(applicationId, connection.connectionName, { clientSecret: 'another' });
  const asked = requests();
  for (const use of await useAll(tenant, users)) expect(use).toMatchObject({ status: 'fulfilled' });
  expect(requests() - asked).toBe(ACCOUNTS);
  expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
}, 600_000);
