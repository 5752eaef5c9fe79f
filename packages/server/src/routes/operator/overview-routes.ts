import type { FastifyInstance } from 'fastify';
import type { OperatorSessions } from '../../operators/operator-sessions.js';
import { accountSchema, connectionSchema } from '../account-schemas.js';
import { accountCounts } from '../connection-routes.js';
import { statisticsPoint } from '../execution-routes.js';
import type { HostCookie } from '../host-cookie.js';
import { closed } from '../list-schema.js';
import { applicationSchema } from './manage-applications.js';
import type { ReadOverview } from './read-overview.js';
import { session } from './session-schema.js';

interface OverviewParts {
  readonly operatorSessions: Pick<OperatorSessions, 'find'>;
  readonly sessionCookie: HostCookie;
  readonly readOverview: ReadOverview;
}

const text = { type: 'string' };

const connection = closed({ ...connectionSchema.properties, ...accountCounts }, [
  ...connectionSchema.required,
  ...Object.keys(accountCounts),
]);

const day = closed({
  from: text,
  to: text,
  points: {
    type: 'array',
    items: statisticsPoint,
    description: 'Of the last 24 hours, the steps of time in which something was called.',
  },
});

const ofApplication = closed(
  {
    id: text,
    connections: { type: 'array', items: connection, description: 'The first 20, by their names.' },
    account: { ...accountSchema, description: 'One that is authorized; absent when none is.' },
    hasCalled: { type: 'boolean', description: 'Whether anything that it called is kept.' },
    day,
  },
  ['id', 'connections', 'hasCalled', 'day'],
);

const schema = {
  tags: ['applications'],
  summary: 'Tell at once who is signed in, which applications there are, and how one of them is doing',
  querystring: closed(
    {
      applicationId: {
        ...text,
        maxLength: 256,
        description: 'Which one, if it is among those that are listed; else it is the first of them.',
      },
    },
    [],
  ),
  response: {
    200: closed(
      {
        session,
        applications: { type: 'array', items: applicationSchema, description: 'The first 200.' },
        application: { ...ofApplication, description: 'Absent when there is no application.' },
      },
      ['session', 'applications'],
    ),
  },
};

/** Adds the data that the dashboard loads first. A hook of `app` must authenticate operators. */
export function addOverviewRoute(
  app: FastifyInstance,
  { operatorSessions, sessionCookie, readOverview }: OverviewParts,
): void {
  app.get<{ Querystring: { readonly applicationId?: string } }>('/overview', { schema }, async (request) => ({
    session: await operatorSessions.find(sessionCookie.read(request) ?? ''),
    ...(await readOverview(request.query.applicationId)),
  }));
}
