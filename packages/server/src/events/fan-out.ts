import type { OrderedAccount } from '../storage/delivery-queue-table.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { PositionedEvent } from '../storage/events-table.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { Random } from '../text/random.js';
import { createNewDelivery } from './new-delivery.js';
import { readTypes } from './read-types.js';

/**
 * Maximum number of events for which one transaction creates deliveries, shared evenly by the applications that have new
 * events. An application can have 100 endpoints, so one transaction creates at most 20,000 deliveries.
 */
const EVENTS_AT_ONCE = 200;
/** Maximum number of applications for whose events one transaction creates deliveries. */
const APPLICATIONS_AT_ONCE = 100;

export interface FanOutParts {
  readonly storage: Pick<Storage, 'events' | 'transaction'>;
  readonly now: () => number;
  readonly random: Random;
}

interface Match {
  readonly event: PositionedEvent;
  readonly endpoint: WebhookEndpointRow;
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
 * enabled when it occurred.
 */
function matchesOf(
  events: readonly PositionedEvent[],
  endpoints: readonly WebhookEndpointRow[],
): readonly Match[] {
  const byApplication = Map.groupBy(
    endpoints
      .filter(({ enabled }) => enabled === 1)
      .map((endpoint) => ({ endpoint, types: new Set(readTypes(endpoint.types)) })),
    ({ endpoint }) => endpoint.applicationId,
  );
  return events.flatMap((event) =>
    (byApplication.get(event.applicationId) ?? [])
      .filter(({ types }) => types.has(event.type))
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
  const newDelivery = createNewDelivery({ now, random });
  let after = '';

  /** Lists the next applications that have new events. Takes all of these applications in turn. */
  async function nextApplications(): Promise<readonly string[]> {
    const limit = APPLICATIONS_AT_ONCE;
    const following = await storage.events.listWaiting({ after, limit });
    const found =
      following.length > 0 || after === ''
        ? following
        : await storage.events.listWaiting({ after: '', limit });
    after = found.length === limit ? (found.at(-1) ?? '') : '';
    return found;
  }

  async function step(tables: Tables, applicationIds: readonly string[]): Promise<boolean> {
    const most = Math.ceil(EVENTS_AT_ONCE / applicationIds.length);
    const events = await tables.events.position(applicationIds, { most, now: now() });
    if (events.length === 0) return false;
    const endpoints = await tables.webhookEndpoints.ofApplications(applicationIds);
    const matches = matchesOf(events, endpoints);
    const mustWait = await createMustWait(tables, matches, now());
    await tables.eventDeliveries.insert(
      matches.map((match) => newDelivery(match.event, match.endpoint.id, !mustWait(match))),
    );
    return true;
  }

  /**
   * Creates the webhook deliveries of the oldest new events of each application. Returns true if there may be more new
   * events. The caller then sends due deliveries first, so that many new events do not delay them.
   */
  return async function fanOut(): Promise<boolean> {
    const applicationIds = await nextApplications();
    if (applicationIds.length === 0) return false;
    return storage.transaction((tables) => step(tables, applicationIds));
  };
}

export type FanOut = ReturnType<typeof createFanOut>;
