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
  return {
    relay: createRelay({
      client,
      forwardEvent,
      notify: () => undefined,
      signal,
      pause: async () => undefined,
      ...names,
    }),
    queries,
  };
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

const REFUSED: Outcome = { failure: 'refused', durationMs: 1 };
const UNKNOWN_HOST: Outcome = { failure: 'unknown_host', durationMs: 1 };
const SLOW: Outcome = { failure: 'upstream_timeout', durationMs: 15_000 };
const BROKEN: Outcome = { status: 500, durationMs: 1 };
const ACCEPTED: Outcome = { status: 204, durationMs: 1 };

/** Forwards two events to a receiver with these outcomes, and returns the messages of the command. */
async function messagesAbout(outcomes: readonly Outcome[]): Promise<readonly string[]> {
  const messages: string[] = [];
  const left = [...outcomes];
  const stopping = new AbortController();
  const relay = createRelay({
    client: {
      listEvents: async ({ wait }) => {
        // A request without a wait only renews the lease.
        if (wait > 0) stopping.abort();
        return { items: [], nextPageToken: 'unused' };
      },
    },
    forwardEvent: async () => left.shift() ?? ACCEPTED,
    notify: (message) => void messages.push(message),
    signal: stopping.signal,
    pause: async () => undefined,
    service: 'http://service',
    receiver: 'http://receiver/hook',
  });
  const relayed = relay.run({}, FIRST);
  while ((await relayed.next()).done !== true);
  return messages;
}

test.each([
  {
    title: 'refuses connections',
    outcomes: [REFUSED, REFUSED, ACCEPTED],
    says: [
      /^http:\/\/receiver\/hook accepts no connection\. Start your receiver, .+ port in --forward-to\. Events wait/,
    ],
  },
  {
    title: 'has an unknown host',
    outcomes: [UNKNOWN_HOST, UNKNOWN_HOST],
    says: [
      /^http:\/\/receiver\/hook has a host name that cannot be resolved\. .+ right host in --forward-to\./,
    ],
  },
  {
    title: 'hangs',
    outcomes: [SLOW, SLOW, ACCEPTED, SLOW],
    says: [/did not respond within 15 s\. Respond with status 2xx before/, /did not respond within 15 s\./],
  },
  {
    title: 'fails each time',
    outcomes: [BROKEN, BROKEN, BROKEN, BROKEN, BROKEN],
    says: [
      /^http:\/\/receiver\/hook responded with status 500, .+ Look for the error in the log of your receiver/,
      /^evt_1 failed in 5 attempts\. Read it with GET \/v1\/events\/evt_1\.$/,
    ],
  },
])('a receiver that $title is reported once, with what to do', async ({ outcomes, says }) => {
  expect(await messagesAbout(outcomes)).toEqual(says.map((text) => expect.stringMatching(text)));
});
