import { expect, test } from 'vitest';
import { ENDPOINT } from '../../test/support/databases/sample-rows.js';
import { createCallers } from '../caller.js';
import { createBodyMemory } from '../concurrency/body-memory.js';
import { ServiceError } from '../errors.js';
import { secret } from '../secret.js';
import type { FinishedDelivery } from '../storage/delivery-queue-table.js';
import type { EventDeliveryRow } from '../storage/event-rows.js';
import { toFinished } from './ended-attempt.js';
import { createSendDelivery } from './send-delivery.js';

const NOW = 1_000_000;
const DELIVERY: EventDeliveryRow = {
  applicationId: ENDPOINT.applicationId,
  endpointId: ENDPOINT.id,
  id: 'dlv_1',
  eventId: 'evt_1',
  position: 1,
  type: 'account.deleted',
  accountId: null,
  state: 'pending',
  attempts: 3,
  nextAt: NOW,
  claim: 'claim_1',
  log: '[]',
  createdAt: 1,
  endedAt: null,
};

interface Attempt {
  readonly open?: () => Promise<never>;
  readonly signal?: AbortSignal;
}

/** Sends a delivery to an endpoint that closes every connection. Returns the delivery's columns after this attempt. */
async function finishedAfter({
  open,
  signal = new AbortController().signal,
}: Attempt): Promise<FinishedDelivery> {
  const sendDelivery = createSendDelivery({
    withBody: ({ body }, work) => work(body),
    send: () => Promise.reject(new ServiceError('upstream_failed', 'The connection was closed.')),
    vault: { open: open ?? (async () => secret('whsec_c2VjcmV0')) },
    callers: createCallers(),
    now: () => NOW,
    signal,
  });
  const endpoint = { ...ENDPOINT, ordered: 0, failingSince: null };
  const outcome = await sendDelivery(endpoint, { id: 'evt_1', body: '{}', payloadBytes: 0 });
  return toFinished({ endpoint, delivery: DELIVERY, eventAt: 1, outcome }, { now: NOW, jitter: 0.5 });
}

const unavailable = () => Promise.reject(new ServiceError('unavailable', 'The root key cannot be reached.'));

const withoutMemory = async () => createBodyMemory(0).open(ENDPOINT.applicationId).take(1) as never;

test.each([
  { title: 'too little memory is free', attempt: { open: withoutMemory }, waitMs: 1000 },
  { title: 'the root key service is down', attempt: { open: unavailable }, waitMs: 30_000 },
  { title: 'this process is stopping', attempt: { signal: AbortSignal.abort() }, waitMs: 0 },
])('a delivery is postponed without counting the attempt while $title', async ({ attempt, waitMs }) => {
  expect(await finishedAfter(attempt)).toMatchObject({
    state: 'pending',
    attempts: 3,
    nextAt: NOW + waitMs,
    log: '[]',
    endedAt: null,
  });
});

test('an attempt that fails at the endpoint counts and is logged', async () => {
  const { state, attempts, log } = await finishedAfter({});
  expect([state, attempts]).toEqual(['pending', 4]);
  expect(JSON.parse(log)).toMatchObject([{ failure: 'upstream_failed' }]);
});
