import { expect, test, vi } from 'vitest';
import { DELIVERY, ENDPOINT, SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import type { EventDeliveryRow } from '../storage/event-rows.js';
import type { DisableEndpoint } from './disable-endpoint.js';
import { createFinishDeliveries } from './finish-deliveries.js';
import type { AttemptOutcome } from './send-delivery.js';

const ACCOUNT_ID = 'acct_1';

async function create(disableEndpoint: DisableEndpoint = async () => undefined) {
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'Shop');
  const { storage } = parts;
  const endpoint = { ...ENDPOINT, applicationId };
  const { seq: _, ...event } = SERVICE_EVENT;
  await storage.webhookEndpoints.insert(endpoint);
  await storage.events.insert([{ ...event, applicationId }]);
  const onDelivery = vi.fn();
  const finish = createFinishDeliveries({
    storage,
    disableEndpoint,
    pauseEndpoint: async () => undefined,
    now: parts.clock.now,
    jitter: () => 0.5,
    onDelivery,
  });
  async function add(id: string, columns: Partial<EventDeliveryRow>): Promise<EventDeliveryRow> {
    const row = { ...DELIVERY, applicationId, accountId: ACCOUNT_ID, id, ...columns };
    await storage.eventDeliveries.insert([row]);
    return row;
  }
  const end = (delivery: EventDeliveryRow, result: AttemptOutcome['result'], failingSince?: number) =>
    finish({
      endpoint: { ...endpoint, failingSince: failingSince ?? null },
      delivery,
      eventAt: 0,
      outcome: { attempt: { at: 1, durationMs: 1 }, result },
    });
  const find = (id: string) => storage.eventDeliveries.find(applicationId, id);
  return { ...parts, endpoint, add, end, find, onDelivery };
}

test('outcomes that end at the same time are stored together, each with its own result', async () => {
  const { add, end, find, onDelivery, storage, endpoint } = await create();
  const results = ['succeeded', 'failed', 'gone', 'postponed'] as const;
  const rows = await Promise.all(results.map((result) => add(result, { claim: result })));
  const transactions = vi.spyOn(storage, 'transaction');
  await Promise.all(rows.map((row, index) => end(row, results[index] ?? 'failed')));
  expect(transactions).toHaveBeenCalledOnce();
  const states = await Promise.all(results.map(find));
  expect(states.map((row) => [row?.state, row?.attempts, row?.claim])).toEqual([
    ['succeeded', 1, null],
    ['pending', 1, null],
    ['failed', 1, null],
    ['pending', 0, null],
  ]);
  expect(onDelivery.mock.calls.map(([outcome]) => outcome)).toEqual([
    'succeeded',
    'retried',
    'failed',
    'postponed',
  ]);
  const { applicationId, id } = endpoint;
  expect(await storage.webhookEndpoints.find(applicationId, id)).toMatchObject({
    failingSince: expect.any(Number),
  });
});

test('an outcome changes nothing after another instance has claimed the delivery', async () => {
  const { add, end, find, onDelivery } = await create();
  const row = await add('dlv_late', { claim: 'claim_other' });
  await end({ ...row, claim: 'claim_own' }, 'succeeded');
  expect(await find('dlv_late')).toEqual(row);
  expect(onDelivery).not.toHaveBeenCalled();
});

test('a refused outcome does not keep the others from being stored', async () => {
  const { add, end, find } = await create();
  const rows = await Promise.all(['dlv_1', 'dlv_2', 'dlv_3'].map((id) => add(id, { claim: 'c' })));
  const [first, second, third] = rows;
  if (!first || !second || !third) throw new Error('The deliveries were not added.');
  // Makes the database refuse this outcome, because it cannot store NaN.
  const wrong = { ...second, attempts: Number.NaN };
  const ends = await Promise.allSettled([
    end(first, 'succeeded'),
    end(wrong, 'succeeded'),
    end(third, 'succeeded'),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await find('dlv_1'))?.state).toBe('succeeded');
  expect((await find('dlv_3'))?.state).toBe('succeeded');
});

test('a delivery that began before its endpoint became ordered releases the next one of the account', async () => {
  const { add, end, find, storage, endpoint, clock } = await create();
  const running = await add('dlv_running', { claim: 'c', nextAt: clock.now() + 30_000 });
  await storage.webhookEndpoints.change(endpoint, { ordered: 1 });
  await add('dlv_next', { position: 2, nextAt: null });
  await end(running, 'succeeded');
  expect(await find('dlv_next')).toMatchObject({ state: 'pending', nextAt: clock.now() });
});

test('outcomes are stored while an endpoint that no longer works is being disabled', async () => {
  const { promise: isDisabled, resolve } = Promise.withResolvers<void>();
  const { add, end, find } = await create(() => isDisabled);
  const gone = end(await add('dlv_gone', { claim: 'c' }), 'gone');
  await end(await add('dlv_first', { claim: 'c' }), 'succeeded');
  await end(await add('dlv_second', { claim: 'c' }), 'succeeded');
  expect((await find('dlv_gone'))?.state).toBe('failed');
  resolve();
  await gone;
});

const ALWAYS = 1;

test.each([
  { title: 'gone', results: ['gone', 'gone', 'gone'], args: ['gone'] },
  { title: 'failing', results: ['failed', 'failed'], args: ['failing', expect.any(Number)] },
  { title: 'failing and gone', results: ['failed', 'gone', 'failed'], args: ['gone'] },
] as const)('several attempts at once disable an endpoint that is $title once', async ({ results, args }) => {
  const disable = vi.fn<DisableEndpoint>(async () => undefined);
  const { add, end, endpoint } = await create(disable);
  const rows = await Promise.all(results.map((_, index) => add(`dlv_${index}`, { claim: 'c' })));
  await Promise.all(rows.map((row, index) => end(row, results[index] ?? 'succeeded', ALWAYS)));
  expect(disable.mock.calls).toEqual([[expect.objectContaining({ id: endpoint.id }), ...args]]);
});

test('an endpoint that cannot be disabled fails its own attempts only', async () => {
  const { add, end } = await create(() => Promise.reject(new Error('The database failed.')));
  const [gone, succeeded] = [await add('dlv_1', { claim: 'c' }), await add('dlv_2', { claim: 'c' })];
  const ends = await Promise.allSettled([end(gone, 'gone'), end(succeeded, 'succeeded')]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
