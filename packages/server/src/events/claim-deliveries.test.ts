import { expect, test, vi } from 'vitest';
import { DELIVERY, ENDPOINT, SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { ServiceError } from '../errors.js';
import { createClaimDeliveries } from './claim-deliveries.js';

const DELIVERIES = 200;

interface Settings {
  readonly ordered?: number;
  readonly failingSince?: number;
  readonly enabled?: number;
}

/**
 * Creates endpoints with due deliveries of one event, and a claim function for each of two instances. `aheadMs`:
 * milliseconds by which the first instance's clock is ahead of the second one's.
 */
async function create(endpoints: Readonly<Record<string, Settings>>, aheadMs = 0) {
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'Shop');
  const { events, eventDeliveries, webhookEndpoints } = parts.storage;
  const { seq: _, ...event } = SERVICE_EVENT;
  await events.insert([{ ...event, applicationId }]);
  for (const [endpointId, settings] of Object.entries(endpoints)) {
    await webhookEndpoints.insert({ ...ENDPOINT, applicationId, id: endpointId, ...settings });
    await eventDeliveries.insert(
      Array.from({ length: DELIVERIES }, (_, index) => ({
        ...DELIVERY,
        applicationId,
        endpointId,
        id: `${endpointId}_${index}`,
      })),
    );
  }
  const shares = Object.keys(endpoints).map((id) => ({ applicationId, id, most: 100 }));
  const ahead = { ...parts, now: () => parts.now() + aheadMs };
  const instances = [createClaimDeliveries(ahead), createClaimDeliveries(parts)] as const;
  /** Claims deliveries as one of two instances. Returns the number of claimed deliveries per endpoint. */
  const claim = async (instance: 0 | 1) =>
    Object.fromEntries(
      (await instances[instance](shares)).map(({ endpoint, deliveries }) => [endpoint.id, deliveries.length]),
    );
  return { ...parts, claim };
}

test('F5: all instances together send a bounded number of requests to an endpoint at once', async () => {
  const { claim, clock } = await create({
    ep_working: {},
    ep_failing: { failingSince: 1 },
    ep_ordered: { ordered: 1 },
    ep_disabled: { enabled: 0 },
  });
  expect(await claim(0)).toEqual({ ep_working: 100, ep_failing: 4, ep_ordered: 1 });
  expect(await claim(1)).toEqual({ ep_working: 28 });
  expect(await claim(0)).toEqual({});
  clock.advance(30_000);
  expect(await claim(1)).toEqual({ ep_working: 100, ep_failing: 4, ep_ordered: 1 });
});

test('deliveries are claimed although the database is unavailable while their events are read', async () => {
  const { claim, storage } = await create({ ep_working: {} });
  const failure = new ServiceError('unavailable', 'The database cannot be reached.');
  const read = vi.spyOn(storage.events, 'listBodies').mockRejectedValueOnce(failure);
  expect(await claim(0)).toEqual({ ep_working: 100 });
  expect(read).toHaveBeenCalledTimes(2);
});

test('F5: the claims of an instance whose clock is ahead count', async () => {
  const { claim } = await create({ ep_working: {} }, 4000);
  expect(await claim(0)).toEqual({ ep_working: 100 });
  expect(await claim(1)).toEqual({ ep_working: 28 });
});

test('F5: instances that claim at the same time never claim the same delivery', async () => {
  const { claim, storage } = await create({ ep_one: {}, ep_two: {} });
  const claimed = await Promise.all([claim(0), claim(1), claim(0), claim(1)]);
  for (const id of ['ep_one', 'ep_two']) {
    const count = claimed.reduce((sum, each) => sum + (each[id] ?? 0), 0);
    const sending = await storage.deliveryQueue.countSending([id], {
      now: 2,
      until: Number.MAX_SAFE_INTEGER,
    });
    expect(sending.get(id)).toBe(count);
    expect(count).toBeLessThanOrEqual(128);
  }
});
