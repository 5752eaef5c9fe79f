import type { FastifyPluginAsync } from 'fastify';
import type { ConnectionSettings, Connections, NewConnection } from '../accounts/connections.js';
import type { PageRequest } from '../accounts/page.js';
import {
  connectionChangeSchema,
  connectionParams,
  connectionSchema,
  newConnectionSchema,
  nothing,
} from './account-schemas.js';
import { pageOf, pageQuery } from './list-schema.js';

export interface ConnectionParts {
  readonly connections: Connections;
}

interface Named {
  readonly Params: { readonly connectionName: string };
}

const tags = ['connections'];

/** Connections of an application. Requests must be authenticated by a hook of `app`. */
export const connectionRoutes =
  ({ connections }: ConnectionParts): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Querystring: PageRequest }>(
      '/v1/connections',
      {
        schema: {
          tags,
          summary: 'List connections',
          querystring: pageQuery(),
          response: { 200: pageOf(connectionSchema) },
        },
      },
      ({ applicationId, query }) => connections.list(applicationId, query),
    );

    app.post<{ Body: NewConnection }>(
      '/v1/connections',
      {
        schema: {
          tags,
          summary: 'Create a connection',
          body: newConnectionSchema,
          response: { 201: connectionSchema },
        },
        config: { takesIdempotencyKey: true },
      },
      async ({ applicationId, body }, reply) => {
        reply.code(201);
        return connections.create(applicationId, body);
      },
    );

    const params = connectionParams;
    app.get<Named>(
      '/v1/connections/:connectionName',
      { schema: { tags, summary: 'Get a connection', params, response: { 200: connectionSchema } } },
      ({ applicationId, params: { connectionName } }) => connections.get(applicationId, connectionName),
    );

    app.patch<Named & { Body: ConnectionSettings }>(
      '/v1/connections/:connectionName',
      {
        schema: {
          tags,
          summary: 'Change a connection',
          params,
          body: connectionChangeSchema,
          response: { 200: connectionSchema },
        },
      },
      ({ applicationId, params: { connectionName }, body }) =>
        connections.update(applicationId, connectionName, body),
    );

    app.delete<Named>(
      '/v1/connections/:connectionName',
      {
        schema: { tags, summary: 'Delete a connection and its accounts', params, response: { 204: nothing } },
      },
      async ({ applicationId, params: { connectionName } }, reply) => {
        await connections.delete(applicationId, connectionName);
        return reply.code(204).send();
      },
    );
  };
