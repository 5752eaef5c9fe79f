import { expect, test } from 'vitest';
import { ENDPOINT } from '../../test/support/sample-rows.js';
import type { Claimed } from './claim-deliveries.js';
import { createDeliverDue } from './deliver-due.js';

const DELIVERY = {
  position: 1,
  eventId: 'evt_1',
  type: 'account.deleted',
  accountId: null,
  state: 'pending',
  attempts: 0,
  nextAt: 1,
  claim: 'c',
  log: '[]',
  createdAt: 1,
  endedAt: null,
  body: '{}',
} as const;

interface Due {
  readonly applicationId: string;
  readonly id: string;
  readonly failingSince: number | null;
}

/** Runs `deliverDue` with endpoints that have endless deliveries and never respond. Returns the running requests. */
async function runWith(due: readonly Due[]): Promise<readonly string[]> {
  const sent: string[] = [];
  const { deliverDue } = createDeliverDue({
    storage: {
      eventDeliveries: {
        dueEndpoints: async () => due.map((endpoint) => ({ ordered: 0, ...endpoint })),
      },
    } as never,
    claimDeliveries: async ({ applicationId, id }, most): Promise<Claimed> => ({
      endpoint: { ...ENDPOINT, applicationId, id },
      deliveries: Array.from({ length: most }, (_, index) => ({
        ...DELIVERY,
        applicationId,
        endpointId: id,
        id: `dlv_${index}`,
      })),
    }),
    sendDelivery: ({ applicationId }) => {
      sent.push(applicationId);
      return new Promise(() => undefined);
    },
    finishDelivery: async () => undefined,
    now: () => 1,
    onFree: () => undefined,
    onError: () => undefined,
  });
  await deliverDue();
  await deliverDue();
  return sent;
}

const endpoints = (applicationId: string, count: number, failingSince: number | null): readonly Due[] =>
  Array.from({ length: count }, (_, index) => ({
    applicationId,
    id: `ep_${applicationId}_${index}`,
    failingSince,
  }));

const countOf = (sent: readonly string[], applicationId: string) =>
  sent.filter((each) => each === applicationId).length;

test('F5: an endpoint gets at most four requests at once', async () => {
  expect(await runWith(endpoints('a', 1, null))).toEqual(['a', 'a', 'a', 'a']);
});

test('F5: the endpoints of one application do not take the whole lane', async () => {
  const sent = await runWith([...endpoints('a', 100, null), ...endpoints('b', 5, null)]);
  expect(countOf(sent, 'b')).toBe(20);
  expect(countOf(sent, 'a')).toBeGreaterThan(100);
  expect(countOf(sent, 'a')).toBeLessThanOrEqual(204);
});

test('F5: failing endpoints have a lane of their own', async () => {
  const sent = await runWith([...endpoints('a', 100, 1), ...endpoints('b', 10, null)]);
  expect(countOf(sent, 'a')).toBeLessThanOrEqual(51);
  expect(countOf(sent, 'b')).toBe(40);
});
