import { afterEach, expect, test, vi } from 'vitest';
import { ENDPOINT } from '../../test/support/databases/sample-rows.js';
import { createDeliverDue } from './deliver-due.js';
import type { AttemptOutcome } from './send-delivery.js';

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
  payloadBytes: 0,
  eventAt: 1,
} as const;

const SUCCESS: AttemptOutcome = { attempt: { at: 1, durationMs: 1, status: 204 }, result: 'succeeded' };
const FAILURE: AttemptOutcome = { attempt: { at: 1, durationMs: 1, status: 500 }, result: 'failed' };
const POSTPONED: AttemptOutcome = {
  attempt: { at: 1, durationMs: 1, failure: 'memory' },
  result: 'postponed',
  retryAfterMs: 1000,
};

interface Due {
  readonly applicationId: string;
  readonly id: string;
  readonly failingSince: number | null;
}

const endpoints = (applicationId: string, count: number, failingSince: number | null): readonly Due[] =>
  Array.from({ length: count }, (_, index) => ({
    applicationId,
    id: `ep_${applicationId}_${index}`,
    failingSince,
  }));

const countOf = (sent: readonly string[], applicationId: string) =>
  sent.filter((each) => each === applicationId).length;

afterEach(() => {
  vi.useRealTimers();
});

/**
 * Creates `deliverDue` with endpoints that always have more due deliveries. Requests to them wait until `respond` is
 * called.
 */
function create(first: readonly Due[]) {
  const due = [...first];
  const open: Array<(outcome: AttemptOutcome) => void> = [];
  const sent: string[] = [];
  const { deliverDue } = createDeliverDue({
    storage: {
      deliveryQueue: { dueEndpoints: async () => due.map((endpoint) => ({ ordered: 0, ...endpoint })) },
    } as never,
    claimDeliveries: async (shares) =>
      shares.map(({ applicationId, id, most }) => ({
        endpoint: { ...ENDPOINT, applicationId, id },
        deliveries: Array.from({ length: most }, (_, index) => ({
          ...DELIVERY,
          applicationId,
          endpointId: id,
          id: `dlv_${index}`,
        })),
      })),
    sendDelivery: ({ applicationId }) => {
      sent.push(applicationId);
      return new Promise((resolve) => open.push(resolve));
    },
    finishDelivery: async () => undefined,
    now: () => 1,
    onFree: () => undefined,
    onError: () => undefined,
  });
  /** Ends the oldest `count` requests (default: all) with `outcome`. */
  async function respond(outcome: AttemptOutcome, count = open.length): Promise<void> {
    for (const resolve of open.splice(0, count)) resolve(outcome);
    await new Promise(setImmediate);
  }
  return { deliverDue, respond, sent, open, due };
}

/** Calls `deliverDue` twice with endpoints that never respond. Returns the application id of each started request. */
async function runWith(due: readonly Due[]): Promise<readonly string[]> {
  const { deliverDue, sent } = create(due);
  await deliverDue();
  await deliverDue();
  return sent;
}

test('F5: an unknown endpoint gets two requests at once', async () => {
  expect(await runWith(endpoints('a', 1, null))).toEqual(['a', 'a']);
});

test('F5: the requests at once double with each round of successes up to 64, and start again after a failure', async () => {
  const { deliverDue, respond, open } = create(endpoints('a', 1, null));
  const counts: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await deliverDue();
    counts.push(open.length);
    await respond(SUCCESS);
  }
  expect(counts).toEqual([2, 4, 8, 16, 32, 64, 64]);
  await deliverDue();
  await respond(FAILURE);
  await deliverDue();
  expect(open).toHaveLength(2);
});

test('F5: a postponed delivery keeps its slot for a second and does not change the requests at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { deliverDue, respond, open } = create(endpoints('a', 1, null));
  await deliverDue();
  await respond(SUCCESS);
  await deliverDue();
  await respond(POSTPONED);
  await deliverDue();
  expect(open).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  await deliverDue();
  expect(open).toHaveLength(4);
});

test('F5: the endpoints of one application do not take the whole lane', async () => {
  const sent = await runWith([...endpoints('a', 200, null), ...endpoints('b', 10, null)]);
  expect(countOf(sent, 'b')).toBe(20);
  expect(countOf(sent, 'a')).toBeGreaterThan(100);
  expect(countOf(sent, 'a')).toBeLessThanOrEqual(204);
});

test('F5: each application gets a request while others use the whole shared part of the lane', async () => {
  const others = Array.from({ length: 30 }, (_, index) => `b${index}`);
  const { deliverDue, sent, due } = create(endpoints('a', 200, null));
  await deliverDue();
  await deliverDue();
  expect(countOf(sent, 'a')).toBe(204);
  due.push(...others.flatMap((id) => endpoints(id, 10, null)));
  await deliverDue();
  expect(others.map((id) => countOf(sent, id))).toEqual(others.map(() => 1));
});

test('F5: failing endpoints have a lane of their own', async () => {
  const sent = await runWith([...endpoints('a', 100, 1), ...endpoints('b', 20, null)]);
  expect(countOf(sent, 'a')).toBeLessThanOrEqual(51);
  expect(countOf(sent, 'b')).toBe(40);
});

test('F5: endpoints that take longer than a second make room for others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { deliverDue, sent } = create([...endpoints('a', 200, null), ...endpoints('b', 100, null)]);
  await deliverDue();
  await deliverDue();
  const before = sent.length;
  expect(before).toBeLessThanOrEqual(256);
  await vi.advanceTimersByTimeAsync(1000);
  await deliverDue();
  expect(sent.length - before).toBeGreaterThan(50);
  // Expects at most 256 requests to working endpoints, and at most 64 to failing and slow ones, because these are the
  // limits.
  expect(sent.length).toBeLessThanOrEqual(256 + 64);
});

test('F5: slow requests make room for others also after the lane of slow requests was full', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { deliverDue, respond, sent, due } = create(endpoints('a', 200, null));
  await deliverDue();
  await deliverDue();
  await vi.advanceTimersByTimeAsync(1000);
  // Only 51 of the 204 slow requests use slots for slow requests here, because their application gets no more of these
  // slots.
  due.splice(0, due.length, ...endpoints('b', 200, null));
  await deliverDue();
  const before = countOf(sent, 'b');
  await respond({ ...FAILURE, attempt: { ...FAILURE.attempt, durationMs: 1500 } }, 51);
  await deliverDue();
  expect(countOf(sent, 'b') - before).toBe(51);
});

test('F5: the slow requests of one application do not stop the failing endpoints of another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { deliverDue, sent, due } = create(endpoints('a', 200, null));
  await deliverDue();
  await deliverDue();
  await vi.advanceTimersByTimeAsync(1000);
  due.push(...endpoints('b', 1, 1));
  await deliverDue();
  expect(countOf(sent, 'b')).toBe(1);
});

test('F5: an endpoint that takes longer than a second gets at most four requests at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { deliverDue, respond, open } = create(endpoints('a', 1, null));
  for (let round = 0; round < 3; round += 1) {
    await deliverDue();
    await respond(SUCCESS);
  }
  await deliverDue();
  expect(open).toHaveLength(16);
  await vi.advanceTimersByTimeAsync(1000);
  await deliverDue();
  expect(open).toHaveLength(16);
  await respond({ ...SUCCESS, attempt: { ...SUCCESS.attempt, durationMs: 1500 } });
  await deliverDue();
  expect(open).toHaveLength(4);
});
