import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { WATCH } from '../../test/support/databases/sample-rows.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { secret } from '../secret.js';
import { canonicalJson } from '../text/canonical-json.js';
import { watchLocation } from './prepare-poll.js';
import { createWatches } from './watches.js';

test('a watch whose input cannot be decrypted is listed beside others, and can be deleted', async () => {
  const tenant = await createTenant();
  const { applicationId, storage, vault } = tenant;
  const { id: accountId } = await tenant.connect('ada');
  const add = async (id: string, input: string): Promise<void> =>
    storage.watches.insert({ ...WATCH, applicationId, accountId, id, watchKey: id, input });
  const key = { applicationId, id: 'watch_1' };
  await add(key.id, await vault.seal(watchLocation(key, 'input'), secret('{"max_results":3}')));
  await add('watch_2', await vault.seal(watchLocation(key, 'input'), secret('{}')));
  const watches = createWatches({ ...tenant, catalog: undefined as never, resolve: undefined as never });
  const { items } = await watches.list(applicationId, {});
  expect(items.map(({ id, state, reason, toolInput }) => ({ id, state, reason, toolInput }))).toEqual([
    { id: 'watch_2', state: 'failed', reason: 'input_unreadable', toolInput: {} },
    { id: 'watch_1', state: 'watching', reason: undefined, toolInput: { max_results: 3 } },
  ]);
  expect(await watches.get(applicationId, 'watch_2')).toMatchObject({ reason: 'input_unreadable' });
  await watches.delete(applicationId, 'watch_2');
  expect((await watches.list(applicationId, {})).items).toHaveLength(1);
});

test('a watch that version 1.1.0 stored is found again, although its key has no defaults', async () => {
  const tenant = await createTenant();
  const { applicationId, storage, vault } = tenant;
  const account = { ...(await tenant.connect('ada')), connector: 'calendar' };
  const { toolName } = WATCH;
  const watchKey = tenant.digest('watch', canonicalJson([account.id, toolName, {}]));
  const input = await vault.seal(watchLocation({ applicationId, id: WATCH.id }, 'input'), secret('{}'));
  await storage.watches.insert({ ...WATCH, applicationId, accountId: account.id, watchKey, input });
  const resolve = { ...tenant.resolve, byName: () => account };
  const watches = createWatches({ ...tenant, catalog: loadCatalog(), resolve });
  const reference = { connectionName: 'mail', identifier: 'ada' };
  const created = await watches.create(applicationId, { ...reference, toolName, toolInput: {} });
  expect(created).toMatchObject({ watch: { id: WATCH.id } });
});

test('a concurrent change of the interval does not enable a watch again', async () => {
  const tenant = await createTenant();
  const { applicationId, storage, vault } = tenant;
  const { id: accountId } = await tenant.connect('ada');
  const input = await vault.seal(watchLocation({ applicationId, id: WATCH.id }, 'input'), secret('{}'));
  await storage.watches.insert({ ...WATCH, applicationId, accountId, input });
  const watches = createWatches({ ...tenant, catalog: undefined as never, resolve: undefined as never });
  await Promise.all(
    [{ enabled: false, every: 7200 }, { every: 3600 }].map((settings) =>
      watches.update(applicationId, WATCH.id, settings),
    ),
  );
  expect(await watches.get(applicationId, WATCH.id)).toMatchObject({ enabled: false, every: 3600 });
});
