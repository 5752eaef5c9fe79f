import type { OrderedAccount } from '../storage/delivery-queue-table.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { PositionedEvent, PositionRequest } from '../storage/events-table.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { Random } from '../text/random.js';
import { createNewDelivery } from './new-delivery.js';
import { readTypes } from './read-types.js';

/**
 * Maximum number of events for which one transaction creates deliveries. An application can have 100 endpoints, so one
 * transaction creates at most 20,000 deliveries.
 */
const EVENTS_AT_ONCE = 200;
/** Maximum number of applications that share one transaction while many events wait. */
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
  /** True if a step has left events without deliveries. */
  let isBehind = false;
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

  /** Creates the deliveries of some new events in one transaction. Resolves to the number of events. */
  const step = (chosen: Omit<PositionRequest, 'now'>): Promise<number> =>
    storage.transaction(async (tables) => {
      const events = await tables.events.position({ ...chosen, now: now() });
      if (events.length === 0) return 0;
      const applicationIds = [...new Set(events.map(({ applicationId }) => applicationId))];
      const matches = matchesOf(events, await tables.webhookEndpoints.ofApplications(applicationIds));
      const mustWait = await createMustWait(tables, matches, now());
      await tables.eventDeliveries.insert(
        matches.map((match) => newDelivery(match.event, match.endpoint.id, !mustWait(match))),
      );
      return events.length;
    });

  /**
   * Creates the webhook deliveries of new events, oldest first. While many events wait, takes the same number of events
   * of each application, so that no application delays the events of others. Returns true if more events may wait. The
   * caller then sends due deliveries before the next call.
   */
  return async function fanOut(): Promise<boolean> {
    if (isBehind) {
      const applicationIds = await nextApplications();
      isBehind = applicationIds.length > 0;
      if (isBehind) await step({ applicationIds, most: Math.ceil(EVENTS_AT_ONCE / applicationIds.length) });
    } else if (await storage.events.hasUnpositioned()) {
      isBehind = (await step({ most: EVENTS_AT_ONCE })) === EVENTS_AT_ONCE;
    }
    return isBehind;
  };
}

export type FanOut = ReturnType<typeof createFanOut>;
