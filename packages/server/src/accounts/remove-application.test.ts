import { expect, test } from 'vitest';
import { createTenant } from '../../test/support/create-tenant.js';
import { readTables } from '../../test/support/read-tables.js';
import { addApplication } from '../../test/support/service-parts.js';

/** The tables in which something names the application. */
async function tablesOf({ database }: Awaited<ReturnType<typeof createTenant>>, applicationId: string) {
  const tables = Object.entries(await readTables(database));
  return tables.filter(([, rows]) => JSON.stringify(rows).includes(applicationId)).map(([name]) => name);
}

test('K7: a deleted application leaves its audit events and nothing else, no data key and no ciphertext', async () => {
  const tenant = await createTenant();
  const { applicationId, connect, begin, applications, removeApplication } = tenant;
  await connect('ada');
  await begin('grace');
  const [secret] = await applications.listClientSecrets(applicationId);
  await applications.issueAccessToken({ applicationId, clientSecretId: secret?.id ?? '' });
  expect(await tablesOf(tenant, applicationId)).toEqual(
    expect.arrayContaining(['access_tokens', 'accounts', 'client_secrets', 'connections', 'data_keys']),
  );

  await removeApplication(applicationId);

  expect(await tablesOf(tenant, applicationId)).toEqual(['audit_events']);
  const events = await tenant.storage.auditEvents.list({ applicationId, limit: 100 });
  expect(events.filter(({ action }) => action === 'application.deleted')).toEqual([
    expect.objectContaining({ object: applicationId, result: 'done' }),
  ]);
});

test('L2: each data key that goes with its application is told of, together with its end', async () => {
  const { applicationId, vault, storage, removeApplication } = await createTenant();
  await vault.rotate(applicationId);
  const keys = (await storage.dataKeys.list(applicationId)).map(({ id }) => id);
  expect(keys).toHaveLength(2);

  await removeApplication(applicationId);

  const events = await storage.auditEvents.list({ applicationId, limit: 100 });
  const ended = events.filter(({ action }) => ['data_key.deleted', 'application.deleted'].includes(action));
  expect(ended.map(({ action, object }) => `${action} ${object}`).sort()).toEqual(
    [`application.deleted ${applicationId}`, ...keys.map((key) => `data_key.deleted ${key}`)].sort(),
  );
});

test('L1: an application whose end cannot be told of stays, with its data keys', async () => {
  const { applicationId, connections, applications, database, storage, removeApplication } =
    await createTenant();
  await connections.delete(applicationId, 'mail');
  const [secret] = await applications.listClientSecrets(applicationId);
  await applications.revokeClientSecret(applicationId, secret?.id ?? '');
  const keys = await storage.dataKeys.list(applicationId);
  expect(keys).toHaveLength(1);
  await database.schema.dropTable('auditEvents').execute();

  await expect(removeApplication(applicationId)).rejects.toThrow();

  expect(await storage.applications.find(applicationId)).toMatchObject({ id: applicationId });
  expect(await storage.dataKeys.list(applicationId)).toEqual(keys);
});

test('ends the access of its accounts upstream', async () => {
  const { upstream, applicationId, connect, removeApplication } = await createTenant();
  await connect('ada');
  await removeApplication(applicationId);
  expect(upstream.requests.filter(({ path }) => path === '/revoke')).not.toEqual([]);
});

test('its access tokens end at once', async () => {
  const { applications, applicationId, removeApplication } = await createTenant();
  const [secret] = await applications.listClientSecrets(applicationId);
  const { accessToken } = await applications.issueAccessToken({
    applicationId,
    clientSecretId: secret?.id ?? '',
  });
  await applications.authenticate(accessToken);
  await removeApplication(applicationId);
  await expect(applications.authenticate(accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('leaves other applications alone, and says which one does not exist', async () => {
  const tenant = await createTenant();
  const other = await addApplication(tenant, 'Other');
  await tenant.removeApplication(other);
  await tenant.connect('ada');
  expect(await tenant.account('ada')).toMatchObject({ status: 'authorized' });
  await expect(tenant.removeApplication(other)).rejects.toMatchObject({ code: 'not_found' });
});
