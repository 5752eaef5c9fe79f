import type { FastifyInstance, FastifySchema } from 'fastify';
import { closed, named } from '../../listener/list-schema.js';
import { FOUND_KINDS, type Search } from '../../records/search.js';
import { executionCause } from '../execution-routes.js';

const text = { type: 'string' };
const days = { type: 'integer', examples: [30] };

const found = named(
  'Found',
  closed(
    {
      id: {
        ...text,
        description: 'Id of the object, or identifier of the user.',
        examples: ['exec_0193f2a8c4d17b3e9a5c6d7e8f901234'],
      },
      applicationId: { type: ['string', 'null'], examples: ['app_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
      title: {
        ...text,
        description: 'Name of the object, such as the tool of an execution.',
        examples: ['crm_list_contacts'],
      },
      state: {
        ...text,
        description: 'Outcome or status of the object, such as an error code.',
        examples: ['200'],
      },
      identifier: { ...text, description: 'User to whom the object belongs.', examples: ['ada'] },
      at: { ...text, description: 'When the object was created.', examples: ['2026-11-20T09:00:00.000Z'] },
      status: {
        type: 'integer',
        description: 'HTTP status of the response; only for failed requests.',
        examples: [404],
      },
      actor: {
        ...text,
        description: 'Author of the request, such as an application or operator; only for failed requests.',
        examples: ['operator:ada'],
      },
      cause: {
        ...executionCause,
        description: 'Cause of a failed request; absent if the error code in `state` says everything.',
      },
      executionId: {
        ...text,
        description: 'Execution that counts a refused call with equal calls; only for failed requests.',
        examples: ['exec_0193f2a8c4d17b3e9a5c6d7e8f901234'],
      },
      objects: {
        type: 'array',
        items: text,
        description: 'Ids of the objects that a failed request named, at most two.',
        examples: [['dlv_0193f2a8c4d17b3e9a5c6d7e']],
      },
    },
    ['id', 'applicationId', 'title'],
  ),
);

const schema: FastifySchema = {
  operationId: 'search',
  tags: ['search'],
  summary: 'Find an id or a user in all applications',
  description:
    'Finds objects by their id or the beginning of their id: executions, audit events, accounts, approvals, connections, agent grants, tokens, webhook endpoints, events and deliveries. Finds executions, failed requests and audit events by the id of their request too. The service stores at most 20 failed requests with the same caller, operation and error code in a minute. Finds users by any part of their identifiers: users with accounts, and users that a refused call, a token or a grant named. If there are more than 100,000 of either, the search may miss a part in the middle of an identifier.',
  querystring: closed({
    q: {
      ...text,
      minLength: 1,
      maxLength: 256,
      description: 'Id, beginning of an id, or part of an identifier in upper or lower case.',
      examples: ['req_0193f2a8c4d17b3e9a5c6d7e'],
    },
  }),
  response: {
    200: named(
      'SearchResult',
      closed(
        {
          groups: {
            type: 'array',
            description: 'Kinds of objects that match.',
            items: named(
              'FoundGroup',
              closed({
                kind: { ...text, enum: FOUND_KINDS },
                items: {
                  type: 'array',
                  items: found,
                  description: 'Objects of this kind that match, at most ten.',
                },
                hasMore: {
                  type: 'boolean',
                  description: 'True if more than ten objects of this kind match.',
                },
              }),
            ),
          },
          searchedAccounts: {
            type: 'integer',
            description:
              'Number of searched accounts and of searched other users; absent if all were searched.',
          },
          keptDays: {
            ...closed({ executions: days, audit: days }),
            description: 'Number of days after which the service deletes executions and audit events.',
          },
        },
        ['groups', 'keptDays'],
      ),
    ),
  },
};

/** Adds the search for ids and users. A hook of `app` must authenticate operators. */
export function addSearchRoute(app: FastifyInstance, { search }: { readonly search: Search }): void {
  app.get<{ Querystring: { readonly q: string } }>('/search', { schema }, ({ query: { q } }) => search(q));
}
