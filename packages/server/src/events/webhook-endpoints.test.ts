import { expect, test } from 'vitest';
import { DELIVERY, ENDPOINT, SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { EVENT_TYPES } from '../names/event-types.js';
import { createCheckTypes } from './check-types.js';
import { createDisableEndpoint } from './disable-endpoint.js';
import { openSecret, sealSecret, signingSecretLocation } from './endpoint-secrets.js';
import { createWebhookEndpoints } from './webhook-endpoints.js';

async function create(onCheck: () => Promise<void> = async () => undefined) {
  const parts = await createServiceParts();
  const { storage, vault } = parts;
  const applicationId = await addApplication(parts, 'Shop');
  const key = { applicationId, id: ENDPOINT.id };
  const secret = await sealSecret(vault, key, { column: 'secret', value: 'whsec_Zmlyc3Q=' });
  await storage.webhookEndpoints.insert({ ...ENDPOINT, ...key, secret });
  const endpoints = createWebhookEndpoints({
    ...parts,
    findConnection: async () => undefined,
    checkAddress: async (url) => {
      await onCheck();
      return url;
    },
    checkTypes: createCheckTypes(EVENT_TYPES),
    serviceEvents: { notify: () => undefined },
  });
  const read = async () => {
    const row = await storage.webhookEndpoints.find(applicationId, ENDPOINT.id);
    if (row === undefined) throw new Error('There is no endpoint.');
    return row;
  };
  return { ...parts, ...key, endpoints, read };
}

test('each secret that concurrent rotations return signs deliveries', async () => {
  const { applicationId, id, endpoints, read, vault } = await create();
  const rotations = await Promise.allSettled([1, 2].map(() => endpoints.rotateSecret(applicationId, id, {})));
  const returned = rotations.flatMap((each) => (each.status === 'fulfilled' ? [each.value.secret] : []));
  // The second rotation is refused, unless it began after the first one had ended.
  for (const each of rotations)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
  const row = await read();
  const open = async (column: 'secret' | 'previous_secret', sealed: string | null) =>
    (await openSecret(vault, signingSecretLocation(row, column), sealed ?? ''))?.reveal();
  const stored = [await open('secret', row.secret), await open('previous_secret', row.previousSecret)];
  expect(returned.length).toBeGreaterThan(0);
  expect(stored).toEqual(expect.arrayContaining(returned));
});

test.each([
  { title: 'whose URL was changed', settings: { url: 'https://other.example.com/hook' } },
  { title: 'that was enabled again', settings: { enabled: true } },
])('a late 410 does not disable an endpoint $title', async ({ settings }) => {
  const { applicationId, id, clock, commit, endpoints, now, read } = await create();
  const disable = createDisableEndpoint({ commit, now });
  const early = await read();
  if (settings.enabled) await disable(early, 'gone');
  clock.advance(1000);
  await endpoints.update(applicationId, id, settings);
  await disable(early, 'gone');
  expect(await read()).toMatchObject({ enabled: 1, disabledReason: null });
  await disable(await read(), 'gone');
  expect(await read()).toMatchObject({ enabled: 0, disabledReason: 'gone' });
});

test('a change that enables an endpoint sees that the endpoint was disabled while its URL was checked', async () => {
  let disable = async (): Promise<void> => undefined;
  const parts = await create(() => disable());
  const { applicationId, id, clock, endpoints, read } = parts;
  const { enabledSince } = await read();
  disable = async () => createDisableEndpoint(parts)(await read(), 'gone');
  clock.advance(1000);
  await endpoints.update(applicationId, id, { url: 'https://other.example.com/hook', enabled: true });
  expect(await read()).toMatchObject({ enabled: 1, disabledReason: null });
  expect((await read()).enabledSince).toBeGreaterThan(enabledSince);
});

test('a new secret of a paused endpoint releases a delivery whose earlier delivery was deleted', async () => {
  const { applicationId, id, endpoints, storage } = await create();
  await storage.webhookEndpoints.change(
    { applicationId, id },
    { ordered: 1, disabledReason: 'secret_unreadable' },
  );
  const { seq: _, ...event } = SERVICE_EVENT;
  await storage.events.insert([{ ...event, applicationId }]);
  const waiting = {
    ...DELIVERY,
    applicationId,
    accountId: 'acct_1',
    state: 'pending',
    nextAt: null,
  } as const;
  await storage.eventDeliveries.insert([waiting]);
  await endpoints.rotateSecret(applicationId, id, {});
  expect((await storage.eventDeliveries.find(applicationId, DELIVERY.id))?.nextAt).toEqual(
    expect.any(Number),
  );
});
