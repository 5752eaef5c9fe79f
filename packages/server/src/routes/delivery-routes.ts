import type { FastifyInstance, FastifySchema } from 'fastify';
import type { Deliveries, DeliveryRequest } from '../events/deliveries.js';
import { closed, named, pageOf, pageQuery, timeOrder } from '../listener/list-schema.js';
import { endpointParams } from './endpoint-routes.js';
import { ENDPOINT_ID, EVENT_ID, eventType } from './event-schemas.js';

const text = { type: 'string' };
const time = { ...text, format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };
const DELIVERY_ID = 'dlv_0193f2a8c4d17b3e9a5c6d7e';

const state = {
  ...text,
  enum: ['pending', 'succeeded', 'failed'],
  description: 'pending: more delivery attempts follow. failed: the last delivery attempt failed.',
};
const REQUIRED = {
  id: { ...text, examples: [DELIVERY_ID] },
  endpointId: { ...text, examples: [ENDPOINT_ID] },
  eventId: { ...text, examples: [EVENT_ID] },
  type: eventType,
  state,
  attemptCount: { type: 'integer', description: 'Number of delivery attempts since the last resend.' },
  createdAt: time,
};
const OPTIONAL = {
  accountId: { ...text, description: 'Account that the event is about.' },
  nextAttemptAt: {
    ...time,
    description:
      'Time of the next delivery attempt; absent after the last one, and while an earlier delivery of the account must end first.',
  },
  endedAt: time,
};
const attempt = closed(
  {
    at: time,
    durationMs: { type: 'integer', examples: [84] },
    status: {
      type: 'integer',
      examples: [500],
      description: 'HTTP status with which the webhook endpoint responded.',
    },
    failure: {
      ...text,
      examples: ['upstream_timeout'],
      description: 'Reason why the delivery attempt got no response.',
    },
    response: {
      ...text,
      examples: ['Internal Server Error'],
      description: 'Beginning of the body with which the webhook endpoint responded.',
    },
  },
  ['at', 'durationMs'],
);

const deliverySchema = named('Delivery', closed({ ...REQUIRED, ...OPTIONAL }, Object.keys(REQUIRED)));
const detailsSchema = named(
  'DeliveryDetails',
  closed(
    {
      ...REQUIRED,
      attempts: { type: 'array', items: attempt, description: 'The latest delivery attempts, oldest first.' },
      ...OPTIONAL,
    },
    [...Object.keys(REQUIRED), 'attempts'],
  ),
);

const id = { ...text, maxLength: 128 };
export const deliveryFilters = {
  endpointId: {
    ...id,
    examples: [ENDPOINT_ID],
    description: 'Lists only deliveries to the webhook endpoint with this id.',
  },
  eventId: { ...id, examples: [EVENT_ID], description: 'Lists only deliveries of the event with this id.' },
  type: { ...eventType, description: 'Lists only deliveries of events of this type.' },
  state: { ...state, description: 'Lists only deliveries with this state.' },
  accountId: { ...id, description: 'Lists only deliveries of events about the account with this id.' },
};
const params = closed({
  deliveryId: { ...id, examples: [DELIVERY_ID], description: 'Id of the delivery.' },
});

interface ById {
  readonly Params: { readonly deliveryId: string };
}

const about = (summary: string, schema: FastifySchema) => ({ tags: ['webhooks'], summary, ...schema });

function addTest(app: FastifyInstance, deliveries: Deliveries): void {
  const post: FastifySchema = {
    operationId: 'testWebhookEndpoint',
    description:
      'Sends an event of the type `endpoint.tested` to this endpoint only, whatever its types are. The service signs and retries the delivery as any other. `GET /v1/deliveries/{deliveryId}` shows its attempts.',
    errors: ['not_found', 'conflict'],
    params: endpointParams,
    response: { 200: detailsSchema },
  };
  app.post<{ Params: { readonly endpointId: string } }>(
    '/webhook-endpoints/:endpointId/test',
    { schema: about('Send a test event to a webhook endpoint', post), config: { keyedBy: 'endpointId' } },
    ({ applicationId, params: { endpointId } }) => deliveries.sendTest(applicationId, endpointId),
  );
}

/**
 * Adds routes that list and resend the deliveries of an application, and that test an endpoint. A hook of `app` must
 * authenticate requests.
 */
export function addDeliveryRoutes(
  app: FastifyInstance,
  { deliveries }: { readonly deliveries: Deliveries },
): void {
  const list = {
    operationId: 'listDeliveries',
    description:
      'With a filter, each page searches 10,000 deliveries. A page with fewer than `pageSize` items, even an empty one, may have a `nextPageToken`.',
    querystring: pageQuery({ ...deliveryFilters, order: timeOrder('deliveries') }),
    response: { 200: pageOf(deliverySchema) },
  };
  app.get<{ Querystring: DeliveryRequest }>(
    '/deliveries',
    { schema: about('List deliveries, newest first', list) },
    ({ applicationId, query }) => deliveries.list(applicationId, query),
  );
  const get: FastifySchema = {
    operationId: 'getDelivery',
    description:
      'Each delivery attempt has the beginning of the response, or the reason why the attempt got no response.',
    errors: ['not_found'],
    params,
    response: { 200: detailsSchema },
  };
  app.get<ById>(
    '/deliveries/:deliveryId',
    { schema: about('Get a delivery with its attempts', get) },
    ({ applicationId, params: { deliveryId } }) => deliveries.get(applicationId, deliveryId),
  );
  const post: FastifySchema = {
    operationId: 'resendDelivery',
    description:
      'Sends the event of the delivery again now, with the same event id. The service retries a failed attempt as usual.',
    errors: ['not_found', 'conflict'],
    params,
    response: { 200: detailsSchema },
  };
  app.post<ById>(
    '/deliveries/:deliveryId/resend',
    { schema: about('Resend a delivery', post), config: { keyedBy: 'endpointId' } },
    ({ applicationId, params: { deliveryId } }) => deliveries.resend(applicationId, deliveryId),
  );
  addTest(app, deliveries);
}
