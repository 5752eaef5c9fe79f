import { afterEach, expect, test, vi } from 'vitest';
import type { ListedEvent } from '../events/event-list.js';
import type { Outcome } from './forward-event.js';
import { createRelay } from './relay-events.js';
import type { EventPage, EventQuery } from './service-client.js';

afterEach(() => vi.useRealTimers());

const EVENTS = ['evt_1', 'evt_2'].map(
  (id): ListedEvent => ({ id, type: 'account.deleted', timestamp: '2026-11-20T09:00:00.000Z', data: {} }),
);
const FIRST: EventPage = { items: EVENTS, nextPageToken: 'next' };

/** Creates a relay whose receiver takes 15 seconds for each event, the longest time that a request may take. */
function createSlowRelay() {
  const queries: EventQuery[] = [];
  const stopping = new AbortController();
  const forwardEvent = async (): Promise<Outcome> => {
    await vi.advanceTimersByTimeAsync(15_000);
    return { status: 200, durationMs: 15_000 };
  };
  const client = {
    listEvents: async (query: EventQuery): Promise<EventPage> => {
      queries.push(query);
      if (query.wait > 0) stopping.abort();
      return { items: [], nextPageToken: 'unused' };
    },
  };
  const names = { service: 'http://service', receiver: 'http://receiver' };
  const { signal } = stopping;
  return { relay: createRelay({ client, forwardEvent, notify: () => undefined, signal, ...names }), queries };
}

test('renews the lease of its types while a receiver is slow', async () => {
  vi.useFakeTimers();
  const { relay, queries } = createSlowRelay();
  const filter = { types: 'account.deleted', connectionName: 'calls' };
  await relay.begin(filter);
  const items = [...EVENTS, ...EVENTS];
  const relayed = [];
  for await (const { event } of relay.run(filter, { ...FIRST, items })) relayed.push(event.id);
  expect(relayed).toEqual(['evt_1', 'evt_2', 'evt_1', 'evt_2']);
  const renewal = { ...filter, pageToken: 'next', wait: 0, pageSize: 1 };
  // Each delivery takes 15 seconds, so the second one ends 30 seconds after the last request for events. The relay
  // requests events again before the third delivery, because requests must be at most 20 seconds (`RENEW_MS`) apart.
  expect(queries).toEqual([
    { ...filter, after: 'latest', wait: 0 },
    renewal,
    { ...filter, pageToken: 'next', wait: 20 },
  ]);
});
