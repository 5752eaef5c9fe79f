import type { FastifyInstance, FastifySchema } from 'fastify';
import type { EventFilter, EventList } from '../events/event-list.js';
import { closed, pageOf, pageQuery } from '../listener/list-schema.js';
import { EVENT_ID, eventSchema } from './event-schemas.js';

const text = { type: 'string' };

const filters = {
  after: {
    ...text,
    maxLength: 128,
    examples: [EVENT_ID],
    description: 'Id of the last event that you have read; only later events are listed.',
  },
  types: {
    ...text,
    maxLength: 512,
    examples: ['account.authorized,account.deleted'],
    description: 'Types of the listed events, separated by commas.',
  },
  connectionName: { ...text, maxLength: 64, description: 'Name of the connection of the listed events.' },
};

const LIST: FastifySchema = {
  operationId: 'listEvents',
  tags: ['events'],
  summary: 'List events, oldest first',
  description:
    'Lists the events that the webhook endpoints of the application want, also while an endpoint is disabled. To read the new events later, send the id of the last event as after. With filters, a page may be short or empty although it has a nextPageToken.',
  querystring: pageQuery(filters),
  response: { 200: pageOf(eventSchema) },
};

const GET: FastifySchema = {
  operationId: 'getEvent',
  tags: ['events'],
  summary: 'Get an event',
  description: 'The fields of data depend on the type of the event.',
  errors: ['not_found'],
  params: closed({
    eventId: { ...text, maxLength: 128, examples: [EVENT_ID], description: 'Id of the event.' },
  }),
  response: { 200: eventSchema },
};

/** Adds routes that list the events of an application. A hook of `app` must authenticate requests. */
export function addEventRoutes(app: FastifyInstance, { eventList }: { readonly eventList: EventList }): void {
  app.get<{ Querystring: EventFilter }>('/events', { schema: LIST }, ({ applicationId, query }) =>
    eventList.list(applicationId, query),
  );
  app.get<{ Params: { eventId: string } }>(
    '/events/:eventId',
    { schema: GET },
    ({ applicationId, params: { eventId } }) => eventList.get(applicationId, eventId),
  );
}
