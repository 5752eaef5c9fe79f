import type { FastifyInstance } from 'fastify';
import type { CreateSandboxConnection } from '../../connections/sandbox-connections.js';
import { closed, named } from '../../listener/list-schema.js';
import { connectionSchema, newName } from '../connection-schemas.js';

const body = named(
  'NewSandboxConnection',
  closed({ connectionName: newName, connector: { type: 'string', maxLength: 64 } }),
  { connectionName: 'crm-test', connector: 'crm' },
);

interface Route {
  readonly Body: Parameters<CreateSandboxConnection>[1];
}

/** Adds the operation that creates a connection to the running sandbox. A hook of `app` must authenticate operators. */
export function addSandboxConnectionRoute(
  app: FastifyInstance,
  { createSandboxConnection }: { readonly createSandboxConnection: CreateSandboxConnection },
): void {
  app.post<Route>(
    '/sandbox-connections',
    {
      schema: {
        tags: ['connections'],
        summary: 'Create a connection to the sandbox',
        operationId: 'createSandboxConnection',
        description:
          'Creates a connection whose URLs point to the sandbox (emulated upstreams), and registers an OAuth client with the sandbox if the connector needs one. The response is 400 if the service runs without --sandbox.',
        errors: ['connector_not_found', 'conflict'],
        body,
        response: { 201: connectionSchema },
      },
      config: { keyedBy: 'body' },
    },
    async ({ applicationId, body: connection }, reply) => {
      reply.code(201);
      return createSandboxConnection(applicationId, connection);
    },
  );
}
