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
      description: 'Time steps with calls in the last 24 hours.',
    },
  }),
);

const ofApplication = named(
  'ApplicationOverview',
  closed(
    {
      id: { ...text, examples: applicationSchema.examples.map(({ id }) => id) },
      connections: { type: 'array', items: connection, description: 'First 20 connections, sorted by name.' },
      account: { ...accountSchema, description: 'An authorized account; absent if there is none.' },
      hasCalled: { type: 'boolean', description: 'True if executions of this application are stored.' },
      day,
      problems: { ...problemsSchema, description: 'Everything that does not work now.' },
    },
    ['id', 'connections', 'hasCalled', 'day', 'problems'],
  ),
);

const schema: FastifySchema = {
  operationId: 'getOverview',
  tags: ['applications'],
  summary: 'Get the overview of an application',
  description:
    'The response also contains the session and the applications, for the first page of the dashboard.',
  querystring: closed(
    {
      applicationId: {
        ...text,
        maxLength: 256,
        description: 'Application for the overview; the first one if it is absent or not listed.',
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
            description: 'Overview of the application; absent if there is none.',
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
