import { expect, test, vi } from 'vitest';
import { addExecutions } from '../../test/support/databases/add-executions.js';
import { readTables } from '../../test/support/databases/read-tables.js';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { addApplication } from '../../test/support/service/service-parts.js';

/** Lists the tables with at least one row that contains the application's id. */
async function tablesOf({ database }: Awaited<ReturnType<typeof createTenant>>, applicationId: string) {
  const tables = Object.entries(await readTables(database));
  return tables.filter(([, rows]) => JSON.stringify(rows).includes(applicationId)).map(([name]) => name);
}

test('K7: a deleted application leaves only its audit events, no data key and no ciphertext', async () => {
  const tenant = await createTenant();
  const { applicationId, connect, begin, applications, removeApplication } = tenant;
  await connect('ada');
  await begin('grace');
  const [secret] = await applications.listClientSecrets(applicationId);
  await applications.issueAccessToken({ applicationId, clientSecretId: secret?.id ?? '' });
  expect(await tablesOf(tenant, applicationId)).toEqual(
    expect.arrayContaining(['access_tokens', 'accounts', 'client_secrets', 'connections', 'data_keys']),
  );

  const { name } = await applications.get(applicationId);

  await removeApplication(applicationId);

  expect(await tablesOf(tenant, applicationId)).toEqual(['audit_events']);
  const events = await tenant.storage.auditEvents.list({ applicationId, limit: 100 });
  expect(events.filter(({ action }) => action === 'application.deleted')).toEqual([
    expect.objectContaining({ object: applicationId, result: 'done', reason: name }),
  ]);
  const ofConnections = events.filter(({ action }) =>
    ['connection.created', 'connection.deleted'].includes(action),
  );
  expect(
    ofConnections.map(({ action, reason }) => `${action} ${reason}`).sort(),
    'names outlive what had them',
  ).toEqual(['connection.created mail', 'connection.deleted mail']);
});

test('L2: each deleted data key of an application writes an audit event with the deletion', async () => {
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

test('L1: an application is kept with its data keys when the audit event cannot be written', async () => {
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

test(
  'F5: the rows of a deleted application are deleted in short batches before the final statement',
  TIMED,
  async () => {
    const { applicationId, storage, database, removeApplication, ...tenant } = await createTenant();
    const other = await addApplication({ storage, database, ...tenant }, 'Other');
    await addExecutions(storage, applicationId, 10_000);
    await addExecutions(storage, other, 10);
    const { deleteSome } = storage.ownedRows;
    const slices: number[] = [];
    let longestMs = 0;
    vi.spyOn(storage.ownedRows, 'deleteSome').mockImplementation(async (id, most) => {
      const before = process.threadCpuUsage();
      slices.push(await deleteSome(id, most));
      const { user, system } = process.threadCpuUsage(before);
      longestMs = Math.max(longestMs, (user + system) / 1000);
      return slices.at(-1) ?? 0;
    });
    const events: number[] = [];

    await removeApplication(applicationId, {
      begin: (rows) => events.push(rows),
      add: (rows) => events.push(rows),
    });

    expect(Math.max(...slices)).toBe(500);
    expect(longestMs).toBeLessThan(100);
    const [total = 0, ...steps] = events;
    expect(total).toBeGreaterThanOrEqual(10_000);
    expect(steps.reduce((sum, rows) => sum + rows, 0)).toBe(total);
    expect(await database.selectFrom('executions').select('id').execute()).toHaveLength(10);
  },
);

test('F5: an interrupted deletion has disabled the application and can be resumed', async () => {
  const tenant = await createTenant();
  const { applicationId, storage, removeApplication, applications } = tenant;
  const clientSecret = (await applications.addClientSecret(applicationId)).clientSecret;
  await addExecutions(storage, applicationId, 1200);
  const { deleteSome } = storage.ownedRows;
  const deleting = vi.spyOn(storage.ownedRows, 'deleteSome');
  deleting.mockImplementationOnce(deleteSome).mockRejectedValueOnce(new Error('killed'));

  await expect(removeApplication(applicationId)).rejects.toThrow('killed');
  const { rows } = await storage.executions.list(applicationId, { limit: 1000 });
  expect(rows).toHaveLength(700);
  await expect(applications.verifyClient(applicationId, clientSecret)).rejects.toMatchObject({
    code: 'unauthorized',
  });

  await removeApplication(applicationId);
  expect(await tablesOf(tenant, applicationId)).toEqual(['audit_events']);
});

test('deleting an application revokes its accounts upstream', async () => {
  const { upstream, applicationId, connect, removeApplication } = await createTenant();
  await connect('ada');
  await removeApplication(applicationId);
  expect(upstream.requests.filter(({ path }) => path === '/revoke')).not.toEqual([]);
});

test('deleting an application invalidates its access tokens at once', async () => {
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

test('deleting an application keeps the others, and an unknown id is an error', async () => {
  const tenant = await createTenant();
  const other = await addApplication(tenant, 'Other');
  await tenant.removeApplication(other);
  await tenant.connect('ada');
  expect(await tenant.account('ada')).toMatchObject({ status: 'authorized' });
  await expect(tenant.removeApplication(other)).rejects.toMatchObject({ code: 'not_found' });
});
