import type { FastifyInstance, FastifySchema } from 'fastify';
import type { HealthModel } from '../../health/health.js';
import { closed, named } from '../../listener/list-schema.js';
import { ENDPOINT_ID } from '../event-schemas.js';
import { connectionHealthSchema } from '../health-schemas.js';
import { watchSchema } from '../watch-schemas.js';

const text = { type: 'string' };

export const problemsSchema = named(
  'Problems',
  closed(
    {
      connections: {
        type: 'array',
        items: named(
          'ConnectionProblem',
          closed({
            applicationId: { ...text, examples: ['app_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
            connectionName: { ...text, examples: ['mail'] },
            health: connectionHealthSchema,
          }),
        ),
        description: 'Connections that do not work, the most urgent first.',
      },
      webhookEndpoints: {
        type: 'array',
        items: named(
          'EndpointProblem',
          closed(
            {
              applicationId: { ...text, examples: ['app_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
              id: { ...text, examples: [ENDPOINT_ID] },
              url: { ...text, examples: ['https://hooks.example.com/svc'] },
              disabledReason: {
                ...text,
                enum: ['gone', 'failing'],
                description:
                  'Reason why the service disabled the endpoint; absent while the endpoint is enabled.',
              },
              pausedReason: {
                ...text,
                enum: ['secret_unreadable'],
                description: 'Reason why the service paused the endpoint; absent if it is not paused.',
              },
              failingSince: {
                ...text,
                format: 'date-time',
                description: 'Time of the first failed delivery attempt since the last successful one.',
              },
            },
            ['applicationId', 'id', 'url'],
          ),
        ),
        description:
          'Webhook endpoints that the service disabled or paused, or whose delivery attempts have failed for a minute.',
      },
      watches: {
        type: 'array',
        items: named(
          'WatchProblem',
          closed({
            applicationId: { ...text, examples: ['app_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
            id: watchSchema.properties['id'],
            accountId: watchSchema.properties['accountId'],
            toolName: watchSchema.properties['toolName'],
            identifier: { ...text, examples: ['ada'] },
            reason: { ...text, examples: ['call_rejected'], description: 'Reason why the watch has failed.' },
          }),
        ),
        description: 'Watches with the state `failed`. Such a watch polls nothing until it is enabled again.',
      },
      slowDatabase: {
        ...named(
          'SlowDatabase',
          closed({
            instanceId: { ...text, examples: ['inst_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
            p95Ms: {
              type: 'integer',
              examples: [900],
              description:
                '95th percentile of the durations of the last database statements of the instance, in milliseconds.',
            },
          }),
        ),
        description:
          'Instance with the slowest database; absent if the database responds in time to all instances.',
      },
      waitingApprovals: {
        type: 'integer',
        examples: [2],
        description:
          'Number of calls that wait for an approval. Present only if the request names an application.',
      },
    },
    ['connections', 'webhookEndpoints', 'watches'],
  ),
);

const schema: FastifySchema = {
  operationId: 'getProblems',
  tags: ['health'],
  summary: 'List everything that does not work',
  description:
    'All instances report the same problems. A problem appears in the list, and disappears from it, within a few seconds. The request is cheap, so you can poll it.',
  querystring: closed(
    {
      applicationId: {
        ...text,
        maxLength: 256,
        description:
          'Id of the application whose problems are listed. Default: all applications, but connections of at most 50 applications.',
      },
    },
    [],
  ),
  response: { 200: problemsSchema },
};

/**
 * Adds the route that lists what does not work now, such as failing connections. A hook of `app` must authenticate
 * operators.
 */
export function addProblemsRoute(
  app: FastifyInstance,
  { readProblems }: Pick<HealthModel, 'readProblems'>,
): void {
  app.get<{ Querystring: { readonly applicationId?: string } }>(
    '/problems',
    { schema },
    ({ query: { applicationId } }) => readProblems(applicationId),
  );
}
