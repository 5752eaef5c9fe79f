import { expect, test } from 'vitest';
import {
  DELIVERY,
  ENDPOINT,
  EXECUTION,
  RECEIPT,
  SERVICE_EVENT,
  SUBSCRIPTION,
  WATCH,
  WATCH_ITEM,
} from '../../test/support/databases/sample-rows.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { addApplication } from '../../test/support/service/service-parts.js';
import { LATENCY_BOUNDS_MS } from './schema.js';

const FAILING_ENDPOINT = { ...ENDPOINT, id: 'ep_failing', failingSince: 1 };

/**
 * Creates an application with rows in all tables that the test reads, and a second application without rows, which must
 * not see those of the first.
 */
async function createTwo() {
  const tenant = await createTenant();
  const { id: accountId } = await tenant.connect('ada');
  const other = await addApplication(tenant, 'Other');
  const [secret] = await tenant.storage.applications.liveSecrets(tenant.applicationId);
  const dataKey = await tenant.storage.dataKeys.newest(tenant.applicationId);
  const own = { applicationId: tenant.applicationId };
  await tenant.storage.executions.insert([{ ...EXECUTION, ...own, accountId }]);
  await tenant.storage.webhookEndpoints.insert({ ...ENDPOINT, ...own });
  await tenant.storage.webhookEndpoints.insert({ ...FAILING_ENDPOINT, ...own });
  await tenant.storage.events.insert([{ ...SERVICE_EVENT, ...own, accountId, payload: 'p' }]);
  const waiting = { ...DELIVERY, id: 'dlv_waiting', position: 0, nextAt: null };
  await tenant.storage.eventDeliveries.insert([DELIVERY, waiting].map((row) => ({ ...row, ...own })));
  const lease = { types: ['account.deleted'], expiresAt: 9, unlessAfter: 9 } as const;
  await tenant.storage.eventLeases.extend(tenant.applicationId, lease);
  await tenant.storage.watches.insert({ ...WATCH, ...own, accountId });
  await tenant.storage.watchItems.put([{ ...WATCH_ITEM, ...own }]);
  await tenant.storage.webhookSubscriptions.insert({ ...SUBSCRIPTION, ...own, accountId });
  await tenant.storage.webhookSubscriptions.addReceipt({ ...RECEIPT, ...own });
  await tenant.storage.accountTerms.replace({ ...own, id: accountId, identifier: 'ada' }, ['tag:vip']);
  const counts = { calls: 1, errors: 0, latencies: LATENCY_BOUNDS_MS.map(() => 0) };
  await tenant.storage.executionStatistics.add([{ ...own, at: 1, connectionName: 'mail', ...counts }]);
  await tenant.storage.pendingConsents.insert({
    id: 'pend_1',
    applicationId: tenant.applicationId,
    connectionId: tenant.connection.id,
    accountId,
    linkId: 'link_1',
    requestDigest: 'digest',
    tokens: 'sealed',
    tokenEndpoint: 'https://auth.mail.example.com/token',
    scopes: '[]',
    subject: null,
    issuer: null,
    connectedAs: null,
    replaceSubject: 0,
    successUrl: null,
    applicationState: null,
    issuedAt: 1,
    expiresAt: 2,
  });
  const connectionRow = await tenant.database.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  return {
    ...tenant,
    connectionRow,
    accountId,
    other,
    secretId: secret?.id ?? '',
    dataKeyId: dataKey?.id ?? '',
  };
}

type Two = Awaited<ReturnType<typeof createTwo>>;

const READS: Readonly<Record<string, (two: Two, applicationId: string) => Promise<unknown>>> = {
  'applications.liveSecrets': ({ storage }, id) => storage.applications.liveSecrets(id),
  'dataKeys.find': ({ storage, dataKeyId }, id) => storage.dataKeys.find(id, dataKeyId),
  'dataKeys.newest': ({ storage }, id) => storage.dataKeys.newest(id),
  'connections.findByName': ({ storage }, id) => storage.connections.findByName(id, 'mail'),
  'connections.find': ({ storage, connection }, id) => storage.connections.find(id, connection.id),
  'connections.list': ({ storage }, id) => storage.connections.list(id, '', 10),
  'accounts.find': ({ storage, accountId }, id) => storage.accounts.find(id, accountId),
  'accounts.findByName': ({ storage }, id) =>
    storage.accounts.findByName(id, { connectionName: 'mail', identifier: 'ada' }),
  'accounts.list': ({ storage, connection }, id) =>
    storage.accounts.list(id, { connectionId: connection.id, limit: 10 }),
  'accounts.list of all': ({ storage }, id) => storage.accounts.list(id, { limit: 10 }),
  'pendingConsents.find': ({ storage }, applicationId) =>
    storage.pendingConsents.find({ applicationId, requestDigest: 'digest', now: 1 }),
  'pendingConsents.ofAccount': ({ storage, accountId }, id) =>
    storage.pendingConsents.ofAccount(id, accountId),
  'executions.list': ({ storage }, id) => storage.executions.list(id, { limit: 10 }),
  'executions.list of an account': ({ storage, accountId }, id) =>
    storage.executions.list(id, { accountId, limit: 10 }).then(({ rows }) => rows),
  'executions.listOfRequest': ({ storage }, id) =>
    storage.executions.listOfRequest(id, { requestId: EXECUTION.requestId, limit: 10 }),
  'accounts.usersOf': ({ storage, accountId }, id) => storage.accounts.usersOf(id, [accountId]),
  'accounts.list of a user': ({ storage }, id) =>
    storage.accounts.list(id, { identifier: 'ada', isDescending: true, limit: 10 }),
  'webhookEndpoints.find': ({ storage }, id) => storage.webhookEndpoints.find(id, ENDPOINT.id),
  'webhookEndpoints.list': ({ storage }, id) => storage.webhookEndpoints.list(id, { limit: 10 }),
  'webhookEndpoints.wishes': ({ storage }, id) => storage.webhookEndpoints.wishes([id], 1),
  'events.find': ({ storage }, id) => storage.events.find(id, SERVICE_EVENT.id),
  'events.list': ({ storage }, id) => storage.events.list(id, { after: 0, limit: 10 }),
  'events.findPosition': ({ storage }, id) => storage.events.findPosition(id, SERVICE_EVENT.id),
  'events.latest': ({ storage }, id) => storage.events.latest(id),
  'events.listBodies': ({ storage }, applicationId) =>
    storage.events.listBodies([{ applicationId, id: SERVICE_EVENT.id }]),
  'events.listPayloads': ({ storage }, id) => storage.events.listPayloads(id, [SERVICE_EVENT.id]),
  'eventDeliveries.find': ({ storage }, id) => storage.eventDeliveries.find(id, DELIVERY.id),
  'eventDeliveries.list': ({ storage }, id) => storage.eventDeliveries.list(id, { limit: 10 }),
  'watches.find': ({ storage }, id) => storage.watches.find(id, WATCH.id),
  'watches.findByKey': ({ storage }, id) => storage.watches.findByKey(id, WATCH.watchKey),
  'watches.list': ({ storage }, id) => storage.watches.list(id, { limit: 10 }),
  'watches.listFailed': async ({ storage, applicationId }, id) => {
    await storage.watches.change({ ...WATCH, applicationId }, { state: 'failed', reason: 'too_many_items' });
    return storage.watches.listFailed({ applicationId: id, limit: 10 });
  },
  'watchItems.find': ({ storage }, applicationId) =>
    storage.watchItems.find({ ...WATCH_ITEM, applicationId }, [WATCH_ITEM.itemKey]),
  'watchItems.listMissing': ({ storage }, applicationId) =>
    storage.watchItems.listMissing({ ...WATCH_ITEM, applicationId }, { walk: 9, most: 9 }),
  'webhookSubscriptions.find': ({ storage, accountId }, applicationId) =>
    storage.webhookSubscriptions.find({ applicationId, accountId }, SUBSCRIPTION.id),
  'webhookSubscriptions.findByUpstreamId': ({ storage, accountId }, applicationId) =>
    storage.webhookSubscriptions.findByUpstreamId({ applicationId, accountId }, 'w'),
  'webhookSubscriptions.list': ({ storage, accountId }, applicationId) =>
    storage.webhookSubscriptions.list({ applicationId, accountId }, { limit: 10 }),
  'executions.find': ({ storage }, id) => storage.executions.find(id, EXECUTION),
};

test.each(Object.entries(READS))('A1: %s returns no row of another application', async (_, read) => {
  const two = await createTwo();
  const belongsTo = async (applicationId: string) => JSON.stringify((await read(two, applicationId)) ?? []);
  expect(await belongsTo(two.applicationId)).toContain(two.applicationId);
  expect(await belongsTo(two.other)).not.toContain(two.applicationId);
});

const WRITES: Readonly<Record<string, (two: Two) => Promise<unknown>>> = {
  'pendingConsents.take': ({ storage, other }) => storage.pendingConsents.take(other, 'pend_1'),
  'accounts.setStatus': ({ storage, other, accountId }) =>
    storage.accounts.setStatus(
      { applicationId: other, id: accountId },
      { from: 'authorized', to: 'unauthorized', now: 9 },
    ),
  'applications.revokeSecret': ({ storage, other, secretId }) =>
    storage.applications.revokeSecret(other, secretId, 1),
  'dataKeys.deleteOf': ({ storage, other }) => storage.dataKeys.deleteOf(other),
  'connections.change': ({ storage, connectionRow, other: applicationId }) =>
    storage.connections.change({ ...connectionRow, applicationId }, { clientId: 'x' }),
  'connections.mark': ({ storage, connectionRow, other: applicationId }) =>
    storage.connections.mark({ ...connectionRow, applicationId }, 'invalid_client'),
  'connections.delete': ({ storage, other, connection }) => storage.connections.delete(other, connection.id),
  'accounts.setDetails': ({ storage, other, accountId }) =>
    storage.accounts.setDetails({ applicationId: other, id: accountId }, { tags: '["x"]', updatedAt: 1 }),
  'accountTerms.replace': ({ storage, other, accountId }) =>
    storage.accountTerms
      .replace({ applicationId: other, id: accountId, identifier: 'ada' }, ['tag:stolen'])
      .catch(() => undefined),
  'accounts.change': ({ storage, other, accountId }) =>
    storage.accounts.change(
      { applicationId: other, id: accountId, version: 2 },
      { status: 'unauthorized', updatedAt: 1 },
    ),
  'accounts.markRefresh': ({ storage, other, accountId }) =>
    storage.accounts.markRefresh(
      { applicationId: other, id: accountId, version: 2, refreshStartedAt: null },
      1,
    ),
  'webhookEndpoints.change': ({ storage, other: applicationId }) =>
    storage.webhookEndpoints.change({ ...ENDPOINT, applicationId }, { url: 'https://stolen.example.com' }),
  'webhookEndpoints.disable': ({ storage, other: applicationId }) =>
    storage.webhookEndpoints.disable(
      { ...ENDPOINT, applicationId },
      { disabledReason: 'gone', updatedAt: 9 },
    ),
  'webhookEndpoints.pause': ({ storage, other: applicationId }) =>
    storage.webhookEndpoints.pause({ ...ENDPOINT, applicationId }, 9),
  'webhookEndpoints.markFailing': ({ storage, other: applicationId }) =>
    storage.webhookEndpoints.markFailing([{ ...ENDPOINT, applicationId }], 9),
  'webhookEndpoints.markWorking': ({ storage, other: applicationId }) =>
    storage.webhookEndpoints.markWorking([{ ...FAILING_ENDPOINT, applicationId }]),
  'webhookEndpoints.delete': ({ storage, other: applicationId }) =>
    storage.webhookEndpoints.delete({ ...ENDPOINT, applicationId }),
  'deliveryQueue.claim': ({ storage, other: applicationId }) =>
    storage.deliveryQueue.claim([{ ...ENDPOINT, applicationId, most: 4 }], { now: 9, until: 9, claim: 'c' }),
  'deliveryQueue.releaseAll': ({ storage, other: applicationId }) =>
    storage.deliveryQueue.releaseAll({ ...ENDPOINT, applicationId }, 9),
  'deliveryQueue.releaseFirst': ({ storage, other: applicationId }) =>
    storage.deliveryQueue.releaseFirst({ ...ENDPOINT, applicationId }, 9),
  'eventDeliveries.resend': ({ storage, other }) => storage.eventDeliveries.resend(other, DELIVERY.id, 9),
  'eventDeliveries.deleteSome': ({ storage, other }) =>
    storage.eventDeliveries.deleteSome(other, { endpointId: ENDPOINT.id, most: 9 }),
  'watches.change': ({ storage, other: applicationId }) =>
    storage.watches.change({ ...WATCH, applicationId }, { every: 9 }),
  'watches.changeClaimed': ({ storage, other: applicationId }) =>
    storage.watches.changeClaimed({ ...WATCH, applicationId }, { every: 9 }),
  'watches.claim': ({ storage, other }) =>
    storage.watches.claim(other, { now: 9, until: 9, claim: 'c', most: 4 }),
  'watches.delete': ({ storage, other: applicationId }) =>
    storage.watches.delete({ ...WATCH, applicationId }),
  'watchItems.delete': ({ storage, other: applicationId }) =>
    storage.watchItems.delete({ ...WATCH_ITEM, applicationId }, [WATCH_ITEM.itemKey]),
  'watchItems.deleteBefore': ({ storage, other: applicationId }) =>
    storage.watchItems.deleteBefore({ ...WATCH_ITEM, applicationId }, 9),
  'watchItems.deleteSome': ({ storage, other: applicationId }) =>
    storage.watchItems.deleteSome({ ...WATCH_ITEM, applicationId }, 9),
  'events.eraseSomePayloads': ({ storage, other, accountId }) =>
    storage.events.eraseSomePayloads(other, accountId),
  'webhookSubscriptions.insert': ({ storage, other: applicationId, accountId }) =>
    storage.webhookSubscriptions
      .insert({ ...SUBSCRIPTION, id: 'sub_2', keyDigest: 'e', applicationId, accountId })
      .catch(() => undefined),
  'webhookSubscriptions.confirm': ({ storage, other: applicationId }) =>
    storage.webhookSubscriptions.confirm({ ...SUBSCRIPTION, applicationId }, 'stolen'),
  'webhookSubscriptions.addReceipt': ({ storage, other: applicationId }) =>
    storage.webhookSubscriptions.addReceipt({ ...RECEIPT, applicationId, at: 9 }).catch(() => undefined),
  'webhookSubscriptions.delete': ({ storage, other: applicationId }) =>
    storage.webhookSubscriptions.delete({ ...SUBSCRIPTION, applicationId }),
  'accounts.delete': ({ storage, other, accountId }) =>
    storage.accounts.delete({ applicationId: other, id: accountId, version: 2 }),
};

test.each(Object.entries(WRITES))('A1: %s changes no row of another application', async (_, write) => {
  const two = await createTwo();
  const all = async () => [
    await two.database.selectFrom('clientSecrets').selectAll().execute(),
    await two.database.selectFrom('dataKeys').selectAll().execute(),
    await two.database.selectFrom('connections').selectAll().execute(),
    await two.database.selectFrom('accounts').selectAll().execute(),
    await two.database.selectFrom('accountTerms').selectAll().execute(),
    await two.database.selectFrom('pendingApprovals').selectAll().execute(),
    await two.database.selectFrom('webhookEndpoints').selectAll().execute(),
    await two.database.selectFrom('events').selectAll().execute(),
    await two.database.selectFrom('eventDeliveries').selectAll().execute(),
    await two.database.selectFrom('watches').selectAll().execute(),
    await two.database.selectFrom('watchItems').selectAll().execute(),
    await two.database.selectFrom('webhookSubscriptions').selectAll().execute(),
    await two.database.selectFrom('webhookReceipts').selectAll().execute(),
  ];
  const before = await all();
  await write(two);
  expect(await all()).toEqual(before);
});

test.each([
  { title: 'an account to a connection', table: 'accounts' },
  { title: 'a term to an account', table: 'accountTerms' },
  { title: 'a link to an account', table: 'authorizationLinks' },
  { title: 'a delivery to its endpoint and event', table: 'eventDeliveries' },
  { title: 'a watch to its account', table: 'watches', referring: 'watchItems' },
  { title: 'an item to its watch', table: 'watchItems' },
  { title: 'a subscription to its account', table: 'webhookSubscriptions', referring: 'webhookReceipts' },
  { title: 'a receipt to its subscription', table: 'webhookReceipts' },
  { title: 'a flow to an account', table: 'authorizationFlows' },
  { title: 'a pending consent to an account', table: 'pendingApprovals' },
] as const)('foreign keys tie $title of the same application', async (row) => {
  const two = await createTwo();
  const { table } = row;
  // Deletes the rows that refer to the changed row, because otherwise their foreign keys would refuse the change.
  if ('referring' in row) await two.database.deleteFrom(row.referring).execute();
  const steal = two.database.updateTable(table).set({ applicationId: two.other }).execute();
  await expect(steal).rejects.toMatchObject({
    code: 'conflict',
    message: expect.not.stringMatching(/foreign key/i),
    cause: { message: expect.stringMatching(/foreign key/i) },
  });
});

test('deleting an application deletes its data key and all of its rows', async () => {
  const two = await createTwo();
  await two.database.deleteFrom('applications').where('id', '=', two.applicationId).execute();
  for (const table of [
    'dataKeys',
    'connections',
    'accounts',
    'accountTerms',
    'authorizationLinks',
    'authorizationFlows',
    'pendingApprovals',
    'executions',
    'webhookEndpoints',
    'events',
    'eventDeliveries',
    'eventLeases',
    'watches',
    'watchItems',
    'webhookSubscriptions',
    'webhookReceipts',
  ] as const) {
    expect(await two.database.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});
