import { ServiceError } from '../errors.js';
import type { AnyEventType } from '../names/event-types.js';
import {
  type Page,
  type PageRequest,
  pageSizeOf,
  type RowCount,
  readCursor,
  type TimeOrder,
  toPage,
} from '../page.js';
import type { Commit } from '../records/commit.js';
import type { DeliveryCursor, DeliveryFilter, ListedDelivery } from '../storage/event-deliveries-table.js';
import type { DeliveryState, EventDeliveryRow } from '../storage/event-rows.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { newId, type Random } from '../text/random.js';
import type { CheckTypes } from './check-types.js';
import { type Attempt, readAttempts } from './delivery-log.js';
import { toEventRow } from './event-row.js';
import { createNewDelivery } from './new-delivery.js';
import type { ServiceEvents } from './service-events.js';
import { endpointNotFound } from './webhook-endpoints.js';

export type { DeliveryFilter };

/** Filter and page of a list of webhook deliveries, as a caller requests them. */
export interface DeliveryRequest extends DeliveryFilter, PageRequest {
  readonly order?: TimeOrder | undefined;
}

/** Delivery of an event to a webhook endpoint, as the API returns it. */
export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: AnyEventType;
  readonly accountId?: string;
  readonly state: DeliveryState;
  readonly attemptCount: number;
  /**
   * Time of the next attempt, in ISO 8601. Absent if the delivery has ended, or if it waits for an earlier delivery of
   * the same account.
   */
  readonly nextAttemptAt?: string;
  readonly createdAt: string;
  readonly endedAt?: string;
}

export interface DeliveryDetails extends Delivery {
  readonly attempts: readonly Attempt[];
}

export interface DeliveriesParts {
  readonly random: Random;
  readonly storage: Pick<Storage, 'eventDeliveries' | 'webhookEndpoints'>;
  readonly checkTypes: CheckTypes;
  readonly commit: Commit;
  readonly serviceEvents: Pick<ServiceEvents, 'notify'>;
  readonly now: () => number;
}

const deliveryNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `There is no delivery "${id}". Check the id. The service may have deleted the delivery after its retention time.`,
  );

const isDisabled = () =>
  new ServiceError(
    'conflict',
    'The webhook endpoint of this delivery is disabled. Enable the endpoint with PATCH /v1/webhook-endpoints/{endpointId}, then resend the delivery.',
  );

const notTestable = () =>
  new ServiceError(
    'conflict',
    'The webhook endpoint is disabled, so it gets no test event. Enable the endpoint with PATCH /v1/webhook-endpoints/{endpointId}, then test it.',
  );

const isRunning = () =>
  new ServiceError(
    'conflict',
    'The service is sending this delivery now, or an earlier delivery of the same account must end first. Wait until the state of the delivery is no longer "pending", then resend it if necessary.',
  );

function toDelivery(row: ListedDelivery): Delivery {
  const { id, endpointId, eventId, type, accountId, state, attempts, nextAt, createdAt, endedAt } = row;
  return {
    id,
    endpointId,
    eventId,
    type,
    ...(accountId !== null && { accountId }),
    state,
    attemptCount: attempts,
    ...(nextAt !== null && { nextAttemptAt: isoTime(nextAt) }),
    createdAt: isoTime(createdAt),
    ...(endedAt !== null && { endedAt: isoTime(endedAt) }),
  };
}

const toDetails = (row: EventDeliveryRow): DeliveryDetails => ({
  ...toDelivery(row),
  attempts: readAttempts(row.log),
});

const keysOf = ({ createdAt, id }: DeliveryCursor): string[] => [String(createdAt), id];

/** Creates the operations on an application's webhook deliveries. */
export function createDeliveries(parts: DeliveriesParts) {
  const { storage, checkTypes, commit, serviceEvents, now, random } = parts;
  const newDelivery = createNewDelivery({ now, random });

  async function find(applicationId: string, id: string): Promise<EventDeliveryRow> {
    const row = await storage.eventDeliveries.find(applicationId, id);
    if (row) return row;
    throw deliveryNotFound(id);
  }

  return {
    /**
     * Lists webhook deliveries, newest first by default. With a filter, a page can contain few or no items although its
     * `nextPageToken` leads to more.
     */
    list: async (
      applicationId: string,
      { pageSize, pageToken, order, ...filter }: DeliveryRequest,
    ): Promise<Page<Delivery>> => {
      const page = { pageSize, pageToken };
      if (filter.type !== undefined) checkTypes([filter.type], 'type');
      const cursor = readCursor(page);
      const { rows, searchedTo } = await storage.eventDeliveries.list(applicationId, {
        ...filter,
        after: cursor && { createdAt: cursor.at, id: cursor.id },
        oldestFirst: order === 'oldest',
        limit: pageSizeOf(page) + 1,
      });
      return toPage(rows, page, { keys: keysOf, item: toDelivery, more: searchedTo && keysOf(searchedTo) });
    },

    count: async (applicationId: string, filter: DeliveryFilter): Promise<RowCount> => {
      if (filter.type !== undefined) checkTypes([filter.type], 'type');
      return storage.eventDeliveries.countListed(applicationId, filter);
    },

    get: async (applicationId: string, id: string): Promise<DeliveryDetails> =>
      toDetails(await find(applicationId, id)),

    /**
     * Sends a test event to one endpoint, whatever event types the endpoint wants. Throws `conflict` if the endpoint is
     * disabled.
     */
    sendTest: async (applicationId: string, endpointId: string): Promise<DeliveryDetails> => {
      const id = newId('evt', random);
      const of = { applicationId, at: now(), accountId: null, connectionName: null } as const;
      const draft = { ...of, type: 'endpoint.tested', data: { endpointId } } as const;
      const row = await commit(async ({ events, eventDeliveries, webhookEndpoints }, audit) => {
        await events.insert([toEventRow(draft, { id, payload: null })]);
        // Locks the last position before the endpoint, as the fan-out of events does, so that they never deadlock.
        const event = await events.positionOne(applicationId, id, now());
        await webhookEndpoints.lock([{ applicationId, id: endpointId }]);
        const endpoint = await webhookEndpoints.find(applicationId, endpointId);
        if (endpoint === undefined) throw endpointNotFound(endpointId);
        if (event === undefined || endpoint.enabled !== 1) throw notTestable();
        const delivery = newDelivery(event, endpointId);
        await eventDeliveries.insert([delivery]);
        audit({ action: 'webhook_endpoint.tested', applicationId, object: endpointId });
        return delivery;
      });
      serviceEvents.notify();
      return toDetails(row);
    },

    /**
     * Makes a delivery due immediately and restarts its retry schedule. Throws `conflict` if the endpoint is disabled.
     */
    resend: async (applicationId: string, id: string): Promise<DeliveryDetails> => {
      const { endpointId } = await find(applicationId, id);
      const endpoint = await storage.webhookEndpoints.find(applicationId, endpointId);
      if (endpoint?.enabled !== 1) throw isDisabled();
      const row = await commit(async ({ eventDeliveries }, audit) => {
        const due = await eventDeliveries.resend(applicationId, id, now());
        if (due) audit({ action: 'event_delivery.resent', applicationId, object: id });
        return due;
      });
      if (!row) throw isRunning();
      serviceEvents.notify();
      return toDetails(row);
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
