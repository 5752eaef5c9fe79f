import type { OrderedAccount } from '../storage/delivery-queue-table.js';
import type { EventDeliveryRow, WebhookEndpointRow } from '../storage/event-rows.js';
import type { PositionedEvent } from '../storage/events-table.js';
import type { Storage, Tables } from '../storage/storage.js';
import { newId, type Random } from '../text/random.js';
import { readTypes } from './read-types.js';

/**
 * Maximum number of events for which one transaction creates deliveries. An application can have 100 endpoints, so one
 * transaction creates at most 20,000 deliveries.
 */
const EVENTS_AT_ONCE = 200;

export interface FanOutParts {
  readonly storage: Pick<Storage, 'events' | 'transaction'>;
  readonly now: () => number;
  readonly random: Random;
}

interface Match {
  readonly event: PositionedEvent;
  readonly endpoint: WebhookEndpointRow;
}

const isTest = ({ type }: PositionedEvent): boolean => type === 'endpoint.tested';

/** Reads the ids of the endpoints that are tested by the test events among these events. Returns them by event id. */
async function readTested(
  tables: Pick<Tables, 'events'>,
  events: readonly PositionedEvent[],
): Promise<ReadonlyMap<string, string>> {
  const tests = events.filter(isTest);
  const bodies = tests.length === 0 ? [] : await tables.events.listBodies(tests);
  return new Map(bodies.map(({ id, body }) => [id, JSON.parse(body).data.endpointId]));
}

/**
 * Returns true unless the endpoint is limited to another connection. An event that is about no connection, such as
 * `endpoint.disabled`, is not affected by this limit.
 */
const isOfConnection = ({ event, endpoint }: Match): boolean =>
  event.connectionName === null ||
  endpoint.connectionName === null ||
  event.connectionName === endpoint.connectionName;

/**
 * Pairs each event with the endpoints that get it: those that want its type and its connection, and were already
 * enabled when it occurred. A test event is paired only with the tested endpoint, whatever types that endpoint wants.
 */
function matchesOf(
  events: readonly PositionedEvent[],
  endpoints: readonly WebhookEndpointRow[],
  tested: ReadonlyMap<string, string>,
): readonly Match[] {
  const byApplication = Map.groupBy(
    endpoints
      .filter(({ enabled }) => enabled === 1)
      .map((endpoint) => ({ endpoint, types: new Set(readTypes(endpoint.types)) })),
    ({ endpoint }) => endpoint.applicationId,
  );
  return events.flatMap((event) =>
    (byApplication.get(event.applicationId) ?? [])
      .filter(({ endpoint, types }) =>
        isTest(event) ? tested.get(event.id) === endpoint.id : types.has(event.type),
      )
      .filter(({ endpoint }) => endpoint.enabledSince <= event.at)
      .map(({ endpoint }) => ({ event, endpoint }))
      .filter(isOfConnection),
  );
}

const accountsOf = (matches: readonly Match[]): readonly string[] =>
  [...new Set(matches.map(({ event }) => event.accountId))].filter((id) => id !== null);

/**
 * Returns a function that decides whether a new delivery must wait until an earlier delivery of the same account to the
 * same ordered endpoint has ended. Locks the ordered endpoints, so that no such delivery ends meanwhile.
 */
async function createMustWait(
  { deliveryQueue, webhookEndpoints }: Tables,
  matches: readonly Match[],
  now: number,
): Promise<(match: Match) => boolean> {
  const byEndpoint = Map.groupBy(
    matches.filter(({ event, endpoint }) => endpoint.ordered === 1 && event.accountId !== null),
    ({ endpoint }) => endpoint.id,
  );
  const pending = new Map<string, Set<string>>();
  // Locks the endpoints, and returns those that still use ordered delivery. Only deliveries to these endpoints wait for
  // earlier deliveries of their account.
  const ordered = byEndpoint.size > 0 ? await webhookEndpoints.lockAlone([...byEndpoint.keys()]) : [];
  const waitedFor: OrderedAccount[] = [];
  for (const endpointId of ordered) {
    const accounts = accountsOf(byEndpoint.get(endpointId) ?? []);
    const accountIds = await deliveryQueue.pendingAccounts(endpointId, accounts);
    pending.set(endpointId, new Set(accountIds));
    waitedFor.push(...accountIds.map((accountId) => ({ endpointId, accountId })));
  }
  // Releases the next delivery of each account, because retention may have deleted the delivery that would have
  // released it.
  if (waitedFor.length > 0) await deliveryQueue.releaseNext(waitedFor, now);
  return ({ event: { accountId }, endpoint: { id } }) => {
    const accounts = pending.get(id);
    if (accounts === undefined || accountId === null) return false;
    const mustWait = accounts.has(accountId);
    accounts.add(accountId);
    return mustWait;
  };
}

/**
 * Creates the function that numbers new events in the order of their commits, and creates their deliveries. Only one
 * instance at a time does this, because it locks the last number.
 */
export function createFanOut({ storage, now, random }: FanOutParts) {
  const toDelivery = ({ event, endpoint }: Match, nextAt: number | null): EventDeliveryRow => ({
    id: newId('dlv', random),
    applicationId: event.applicationId,
    endpointId: endpoint.id,
    eventId: event.id,
    position: event.position,
    type: event.type,
    accountId: event.accountId,
    state: 'pending',
    attempts: 0,
    nextAt,
    claim: null,
    log: '[]',
    createdAt: now(),
    endedAt: null,
  });

  async function step(tables: Tables): Promise<number> {
    const events = await tables.events.position({ most: EVENTS_AT_ONCE, now: now() });
    if (events.length === 0) return 0;
    const applicationIds = [...new Set(events.map(({ applicationId }) => applicationId))];
    const endpoints = await tables.webhookEndpoints.ofApplications(applicationIds);
    const matches = matchesOf(events, endpoints, await readTested(tables, events));
    const mustWait = await createMustWait(tables, matches, now());
    await tables.eventDeliveries.insert(
      matches.map((match) => toDelivery(match, mustWait(match) ? null : now())),
    );
    return events.length;
  }

  /** Creates the webhook deliveries of all new events. */
  return async function fanOut(): Promise<void> {
    if (!(await storage.events.hasUnpositioned())) return;
    while ((await storage.transaction(step)) >= EVENTS_AT_ONCE);
  };
}

export type FanOut = ReturnType<typeof createFanOut>;
