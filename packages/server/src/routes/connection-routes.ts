import type { FastifyInstance, FastifySchema } from 'fastify';
import type { CheckConnection } from '../authorization/check-connection.js';
import { CHECK_NAMES } from '../authorization/check-step.js';
import type { Connection } from '../connections/connection.js';
import type { ConnectionSettings } from '../connections/connection-settings.js';
import type { Connections, NewConnection } from '../connections/connections.js';
import type { HealthModel } from '../health/health.js';
import { closed, named, pageOf, pageQuery } from '../listener/list-schema.js';
import type { PageRequest } from '../page.js';
import { nothing } from './account-schemas.js';
import { ifMatchOf } from './add-etags.js';
import {
  connectionChangeSchema,
  connectionParams,
  connectionSchema,
  newConnectionSchema,
} from './connection-schemas.js';

interface ByName {
  readonly Params: { readonly connectionName: string };
}

const ALL = '/connections';
const ONE = `${ALL}/:connectionName`;

const about = (summary: string, schema: FastifySchema) => ({ tags: ['connections'], summary, ...schema });
// API description of the rules for changes of a connection. Without the rules, a thief of the application's access
// token could redirect all stored credentials to another server.
const CHANGES = [
  'Credentials are sent only to the addresses that they were entered for. While a connection has accounts, a change of',
  'baseUrl, region, hosts or endpoints gets 409: create another connection, or delete the accounts first. If a client secret',
  'is stored, send clientSecret again with a new client id, new endpoints, or a new baseUrl of an MCP server.',
].join(' ');
const params = connectionParams;
const response = { 200: connectionSchema };
const NOT_FOUND = ['connection_not_found'] as const;
const OF_DISCOVERY = [
  'connection_not_configured',
  'upstream_failed',
  'connection_failed',
  'upstream_timeout',
] as const;

interface ConnectionRoutesParts {
  readonly connections: Connections;
  readonly checkConnection: CheckConnection;
  readonly health: Pick<HealthModel, 'addTo'>;
}

type Readers = Pick<ConnectionRoutesParts, 'connections' | 'health'>;

/** Adds the property `health` to a connection, as in the list of connections. */
async function withHealth(
  { health }: Readers,
  applicationId: string,
  connection: Promise<Connection>,
): Promise<Connection | undefined> {
  const [item] = await health.addTo(applicationId, [await connection]);
  return item;
}

function addCollection(app: FastifyInstance, readers: Readers): void {
  const { connections, health } = readers;
  const list = {
    operationId: 'listConnections',
    description: 'The connections are sorted by their names.',
    querystring: pageQuery(),
    response: { 200: pageOf(connectionSchema) },
  };
  app.get<{ Querystring: PageRequest }>(
    ALL,
    { schema: about('List connections', list) },
    async ({ applicationId, query }) => {
      const page = await connections.list(applicationId, query);
      return { ...page, items: await health.addTo(applicationId, page.items) };
    },
  );
  const post: FastifySchema = {
    operationId: 'createConnection',
    description:
      'A connection has the settings of the application for one connector, such as its OAuth client. Secrets are stored encrypted and never returned.',
    errors: ['connector_not_found', ...OF_DISCOVERY],
    body: newConnectionSchema,
    response: { 201: connectionSchema },
  };
  app.post<{ Body: NewConnection }>(
    ALL,
    { schema: about('Create a connection', post), config: { keyedBy: 'body' } },
    async ({ applicationId, body }, reply) => {
      reply.code(201);
      return withHealth(readers, applicationId, connections.create(applicationId, body));
    },
  );
}

function addOne(app: FastifyInstance, readers: Readers): void {
  const { connections } = readers;
  app.get<ByName>(
    ONE,
    {
      schema: about('Get a connection', {
        operationId: 'getConnection',
        description: 'The response contains no secrets.',
        errors: NOT_FOUND,
        params,
        response,
      }),
    },
    ({ applicationId, params: { connectionName } }) =>
      withHealth(readers, applicationId, connections.get(applicationId, connectionName)),
  );
  const change: FastifySchema = {
    operationId: 'updateConnection',
    description: CHANGES,
    errors: [...NOT_FOUND, 'conflict', ...OF_DISCOVERY],
    params,
    body: connectionChangeSchema,
    response,
  };
  app.patch<ByName & { Body: ConnectionSettings }>(
    ONE,
    { schema: about('Change a connection', change) },
    (request) => {
      const { applicationId, params, body } = request;
      const changed = connections.update(applicationId, params.connectionName, body, ifMatchOf(request));
      return withHealth(readers, applicationId, changed);
    },
  );
  app.delete<ByName>(
    ONE,
    {
      schema: about('Delete a connection', {
        operationId: 'deleteConnection',
        description:
          'Deletes the accounts of the connection too, and ends their access upstream where possible.',
        errors: [...NOT_FOUND, 'conflict'],
        params,
        response: { 204: nothing },
      }),
    },
    async ({ applicationId, params: { connectionName } }, reply) => {
      await connections.delete(applicationId, connectionName);
      return reply.code(204).send();
    },
  );
}

const count = { type: 'integer', examples: [3] };
/** Schema for the number of accounts of a connection, by status. */
export const accountCounts = {
  accounts: closed({
    unauthorized: count,
    pending_verification: count,
    authorized: count,
    reauthorization_required: count,
  }),
  notTested: {
    ...count,
    description:
      'Number of authorized accounts whose key or token neither a test nor a call has shown to be right.',
  },
  more: {
    type: 'boolean',
    description: 'True if a count is incomplete: each status is counted up to 10,000.',
  },
};
const summary = named('ConnectionCounts', closed(accountCounts));
const summaryItem = named(
  'ConnectionSummary',
  closed({ connectionName: { type: 'string' }, ...accountCounts }),
);

function addSummary(app: FastifyInstance, connections: Connections): void {
  const get = {
    operationId: 'getConnectionSummary',
    description: 'Counts the accounts by their status. They are deleted with the connection.',
    errors: NOT_FOUND,
    params,
    response: { 200: summary },
  };
  app.get<ByName>(
    `${ONE}/summary`,
    { schema: about('Count the accounts of a connection', get) },
    ({ applicationId, params: { connectionName } }) => connections.summary(applicationId, connectionName),
  );
  const list = {
    operationId: 'listConnectionSummaries',
    description: 'Counts the accounts by their status, for each connection on the page.',
    querystring: pageQuery(),
    response: { 200: pageOf(summaryItem) },
  };
  app.get<{ Querystring: PageRequest }>(
    '/connection-summaries',
    { schema: about('Count the accounts of each connection', list) },
    ({ applicationId, query }) => connections.summaries(applicationId, query),
  );
}

const check = named(
  'ConnectionCheck',
  closed({
    isWorking: { type: 'boolean', description: 'True if no step of the test failed.' },
    steps: {
      type: 'array',
      items: closed({
        name: { type: 'string', enum: CHECK_NAMES },
        result: { type: 'string', enum: ['passed', 'failed', 'skipped'] },
        message: {
          type: 'string',
          description: 'What the result means and what to do.',
          examples: ['The upstream accepts the client.'],
        },
      }),
    },
  }),
  { isWorking: true },
);

function addCheck(app: FastifyInstance, checkConnection: CheckConnection): void {
  const post = {
    operationId: 'checkConnection',
    description: 'Asks the upstream whether it accepts the settings. Each step passes, fails or is skipped.',
    errors: NOT_FOUND,
    params,
    response: { 200: check },
  };
  app.post<ByName>(
    `${ONE}/check`,
    { schema: about('Check the settings of a connection', post) },
    ({ applicationId, params: { connectionName } }) => checkConnection(applicationId, connectionName),
  );
}

/** Adds routes that manage the connections of an application. A hook of `app` must authenticate requests. */
export function addConnectionRoutes(
  app: FastifyInstance,
  { connections, checkConnection, health }: ConnectionRoutesParts,
): void {
  addCollection(app, { connections, health });
  addOne(app, { connections, health });
  addSummary(app, connections);
  addCheck(app, checkConnection);
}
