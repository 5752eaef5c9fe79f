import { expect, test } from 'vitest';
import { collect } from '../../test/support/collect.js';
import { createTenant } from '../../test/support/service/create-tenant.js';

test('O7: revoking all accounts ends a consent that waits for a verification after the access has ended', async () => {
  const {
    accounts,
    applications,
    begin,
    complete,
    connect,
    database,
    revokeAccounts,
    upstream,
    applicationId,
  } = await createTenant();
  const { id } = await connect('ada');
  await accounts.revokeById(applicationId, id);
  await applications.change(applicationId, { verifyUrl: 'https://acme.example.com/verify' });
  await complete(upstream.approve((await begin('ada')).redirectTo));
  const before = upstream.requests.length;
  const connection = { applicationId, connectionName: 'mail' };

  expect(await revokeAccounts.count(connection, () => true)).toBe(1);
  const receipts = await collect(revokeAccounts.run(connection, () => true));

  expect(receipts).toMatchObject([{ accountId: id, upstream: 'nothing_to_revoke', local: 'deleted' }]);
  expect(await database.selectFrom('pendingApprovals').selectAll().execute()).toEqual([]);
  expect(upstream.requests.slice(before).map(({ path }) => path)).toEqual(['/revoke']);
});
