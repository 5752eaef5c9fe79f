import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { wrongField } from '../errors.js';
import type { EventFilter, EventList, ListedEvent } from '../events/event-list.js';
import type { WaitForEvents } from '../events/wait-for-events.js';
import { belongingTo, closed, pageOf, pageQuery } from '../listener/list-schema.js';
import type { Page } from '../page.js';
import { EVENT_ID, eventSchema } from './event-schemas.js';

interface Query extends EventFilter {
  readonly wait?: number;
}

const text = { type: 'string' };

const filters = {
  after: {
    ...text,
    maxLength: 128,
    examples: [EVENT_ID],
    description:
      'Id of the last event that you have read: the response lists only later events. In the first request with `wait`, send "latest" to get only events that occur after the request.',
  },
  types: {
    ...text,
    maxLength: 4096,
    examples: ['account.authorized,account.deleted'],
    description: 'Lists only events of these types, separated by commas.',
  },
  connectionName: belongingTo('events').connectionName,
  wait: {
    type: 'integer',
    minimum: 0,
    maximum: 30,
    examples: [20],
    description:
      'Maximum number of seconds that the request waits for an event if the list is empty. Only applications can send `wait`. During the request and for a minute afterwards, the service also stores events that no webhook endpoint wants. Each response has a `nextPageToken`, with which the next request continues.',
  },
};

const LIST: FastifySchema = {
  operationId: 'listEvents',
  tags: ['events'],
  summary: 'List events, oldest first',
  description:
    'Lists the events of the types that the webhook endpoints of the application have, also while an endpoint is disabled, and all events of watches. To read new events, send the id of the last event as `after`, or wait for new events with `wait`. With filters, a page may be short or empty although it has a `nextPageToken`.',
  querystring: pageQuery(filters),
  response: { 200: pageOf(eventSchema) },
};

const GET: FastifySchema = {
  operationId: 'getEvent',
  tags: ['events'],
  summary: 'Get an event',
  description: 'The fields of `data` depend on the type of the event.',
  errors: ['not_found'],
  params: closed({
    eventId: { ...text, maxLength: 128, examples: [EVENT_ID], description: 'Id of the event.' },
  }),
  response: { 200: eventSchema },
};

const onlyApplications = () =>
  wrongField('wait', 'Only an application can wait for its events. Send the request without `wait`.');

interface EventRoutesParts {
  readonly eventList: EventList;
  readonly waitForEvents: WaitForEvents;
}

/** Resolves when the client has received the response, or has disconnected. */
const whenSentOf = ({ raw }: FastifyReply): Promise<void> => finished(raw).catch(() => undefined);

/** Adds routes that list the events of an application. A hook of `app` must authenticate requests. */
export function addEventRoutes(app: FastifyInstance, { eventList, waitForEvents }: EventRoutesParts): void {
  async function list(
    request: FastifyRequest<{ Querystring: Query }>,
    reply: FastifyReply,
  ): Promise<Page<ListedEvent>> {
    const { applicationId, bearer, query } = request;
    const { wait, ...filter } = query;
    const whenSent = whenSentOf(reply);
    if (wait === undefined) return eventList.list(applicationId, { filter, whenSent });
    // A request with `wait` makes the service store more events, which an operator with read-only access must not
    // cause.
    if (bearer === undefined) throw onlyApplications();
    const isOver = () => app.isStopping() || reply.raw.closed;
    const startedAt = performance.now();
    try {
      return await waitForEvents.list(applicationId, { filter: { ...filter, wait }, whenSent, isOver });
    } finally {
      request.waitedMs = performance.now() - startedAt;
    }
  }

  app.get<{ Querystring: Query }>('/events', { schema: LIST }, list);
  app.get<{ Params: { eventId: string } }>(
    '/events/:eventId',
    { schema: GET },
    ({ applicationId, params: { eventId } }, reply) =>
      eventList.get(applicationId, eventId, whenSentOf(reply)),
  );
}
