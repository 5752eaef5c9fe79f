import { deliveryQueueTable } from './delivery-queue-table.js';
import { eventDeliveriesTable } from './event-deliveries-table.js';
import { eventLeasesTable } from './event-leases-table.js';
import { eventsTable } from './events-table.js';
import type { Database } from './schema.js';
import { watchItemsTable } from './watch-items-table.js';
import { watchesTable } from './watches-table.js';
import { webhookEndpointsTable } from './webhook-endpoints-table.js';
import { webhookSubscriptionsTable } from './webhook-subscriptions-table.js';

/** Queries of events, their deliveries, webhook subscriptions and watches. */
export const createEventTables = (database: Database) => ({
  webhookEndpoints: webhookEndpointsTable(database),
  events: eventsTable(database),
  eventDeliveries: eventDeliveriesTable(database),
  eventLeases: eventLeasesTable(database),
  webhookSubscriptions: webhookSubscriptionsTable(database),
  deliveryQueue: deliveryQueueTable(database),
  watches: watchesTable(database),
  watchItems: watchItemsTable(database),
});
