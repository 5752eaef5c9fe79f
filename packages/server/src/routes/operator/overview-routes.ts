import type { FastifyInstance, FastifySchema } from 'fastify';
import { closed, named } from '../../listener/list-schema.js';
import type { OperatorSessions } from '../../operators/operator-sessions.js';
import { accountSchema } from '../account-schemas.js';
import { accountCounts } from '../connection-routes.js';
import { connectionSchema } from '../connection-schemas.js';
import { statisticsPoint } from '../execution-routes.js';
import type { HostCookie } from '../host-cookie.js';
import { applicationSchema } from './manage-applications.js';
import { problemsSchema } from './problems-routes.js';
import type { ReadOverview } from './read-overview.js';
import { session } from './session-schema.js';

interface OverviewParts {
  readonly operatorSessions: Pick<OperatorSessions, 'find'>;
  readonly sessionCookie: HostCookie;
  readonly readOverview: ReadOverview;
}

const text = { type: 'string' };

const connection = named(
  'CountedConnection',
  closed({ ...connectionSchema.properties, ...accountCounts }, [
    ...connectionSchema.required,
    ...Object.keys(accountCounts),
  ]),
  connectionSchema.examples[0],
);

const day = named(
  'DayStatistics',
  closed({
    from: text,
    to: text,
    points: {
      type: 'array',
      items: statisticsPoint,
      description:
        'Statistics of the calls in the last 24 hours, by time step. Time steps without calls are absent.',
    },
  }),
);

const ofApplication = named(
  'ApplicationOverview',
  closed(
    {
      id: { ...text, examples: applicationSchema.examples.map(({ id }) => id) },
      connections: { type: 'array', items: connection, description: 'First 20 connections, sorted by name.' },
      account: {
        ...accountSchema,
        description:
          'One authorized account of the application; absent if the application has no authorized account.',
      },
      hasCalled: { type: 'boolean', description: 'True if executions of this application are stored.' },
      day,
      problems: {
        ...problemsSchema,
        description:
          'Problems of the application at this moment, such as connections and webhook endpoints that do not work.',
      },
    },
    ['id', 'connections', 'hasCalled', 'day', 'problems'],
  ),
);

const schema: FastifySchema = {
  operationId: 'getOverview',
  tags: ['applications'],
  summary: 'Get the overview of an application',
  description:
    'Returns everything that the first page of the dashboard shows: the session, the applications and the overview of one application.',
  querystring: closed(
    {
      applicationId: {
        ...text,
        maxLength: 256,
        description:
          'Id of the application for the overview. Default, also for an id that is not in `applications`: the first application.',
      },
    },
    [],
  ),
  response: {
    200: named(
      'Overview',
      closed(
        {
          session,
          applications: { type: 'array', items: applicationSchema, description: 'First 200 applications.' },
          application: {
            ...ofApplication,
            description: 'Overview of the application; absent if the service has no application.',
          },
        },
        ['session', 'applications'],
      ),
    ),
  },
};

/** Adds the route with the data that the dashboard loads first. A hook of `app` must authenticate operators. */
export function addOverviewRoute(
  app: FastifyInstance,
  { operatorSessions, sessionCookie, readOverview }: OverviewParts,
): void {
  app.get<{ Querystring: { readonly applicationId?: string } }>('/overview', { schema }, async (request) => ({
    session: await operatorSessions.find(sessionCookie.read(request) ?? ''),
    ...(await readOverview(request.query.applicationId)),
  }));
}
