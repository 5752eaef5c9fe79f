import type { FastifyInstance, FastifySchema } from 'fastify';
import type { AgentAccesses, AgentAccessInput } from '../../grants/agent-access.js';
import type { AgentClient, AgentClients } from '../../grants/agent-clients.js';
import type { AgentSignIns } from '../../grants/agent-sign-ins.js';
import type { GrantedList, GrantQuery } from '../../grants/granted-list.js';
import { SMALL_BODY } from '../../listener/body-limits.js';
import type { CheckTokenNames } from '../../tokens/check-token-names.js';
import { ifMatchOf } from '../add-etags.js';
import {
  accessInputSchema,
  accessSchema,
  clientInputSchema,
  clientParams,
  clientSchema,
  clientsSchema,
  grantParams,
  grantsQuery,
  grantsSchema,
  redirectSchema,
  signInSchema,
} from './agent-schemas.js';

const about = (summary: string, schema: FastifySchema) => ({
  schema: { tags: ['agents'], summary, ...schema },
  bodyLimit: SMALL_BODY,
});
const nothing = { 204: { type: 'null' } };

function addAccess(
  app: FastifyInstance,
  agentAccesses: AgentAccesses,
  checkTokenNames: CheckTokenNames,
): void {
  const path = '/agent-access';
  app.get(
    path,
    about('Get the sign-in for MCP clients', {
      operationId: 'getAgentAccess',
      description:
        'Returns how users sign in to grant MCP clients access. Without `signInUrl` and `openId`, users cannot sign in.',
      response: { 200: accessSchema },
    }),
    ({ applicationId }) => agentAccesses.show(applicationId),
  );
  app.put<{ Body: AgentAccessInput }>(
    path,
    about('Set the sign-in for MCP clients', {
      operationId: 'setAgentAccess',
      description:
        'Sets how users sign in to grant MCP clients access: at your page, or at an OpenID Connect issuer.',
      errors: ['connection_failed', 'upstream_failed', 'upstream_timeout'],
      body: accessInputSchema,
      response: { 200: accessSchema },
    }),
    async (request) => {
      const { applicationId, body } = request;
      await checkTokenNames(applicationId, body.limits ?? {}, 'limits.');
      return agentAccesses.put(applicationId, body, ifMatchOf(request));
    },
  );
  app.delete(
    path,
    about('Turn off the sign-in for MCP clients', {
      operationId: 'deleteAgentAccess',
      description: 'Users can no longer sign in for MCP clients, and existing clients get no new tokens.',
      response: nothing,
    }),
    async ({ applicationId }, reply) => {
      await agentAccesses.delete(applicationId);
      return reply.code(204).send();
    },
  );
}

function addClients(app: FastifyInstance, agentClients: AgentClients): void {
  const path = '/agent-clients';
  app.get(
    path,
    about('List the MCP clients', {
      operationId: 'listAgentClients',
      description: 'Lists the MCP clients that the application registered, at most 50 clients.',
      response: { 200: clientsSchema },
    }),
    ({ applicationId }) => agentClients.list(applicationId),
  );
  app.post<{ Body: Pick<AgentClient, 'name' | 'redirectUris'> }>(
    path,
    {
      ...about('Register an MCP client', {
        operationId: 'createAgentClient',
        description:
          'Registers a public client, which has no client secret. An application can have at most 50 registered clients.',
        errors: ['conflict'],
        body: clientInputSchema,
        response: { 201: clientSchema },
      }),
      config: { keyedBy: 'agentClientId' },
    },
    async ({ applicationId, body }, reply) => {
      reply.code(201);
      return agentClients.create(applicationId, body);
    },
  );
  app.delete<{ Params: { readonly agentClientId: string } }>(
    `${path}/:agentClientId`,
    about('Delete an MCP client', {
      operationId: 'deleteAgentClient',
      description: 'Deletes the client, and revokes all access that users granted to the client.',
      errors: ['not_found'],
      params: clientParams,
      response: nothing,
    }),
    async ({ applicationId, params }, reply) => {
      await agentClients.delete(applicationId, params.agentClientId);
      return reply.code(204).send();
    },
  );
}

function addGrants(app: FastifyInstance, grantedList: GrantedList): void {
  const path = '/agent-grants';
  app.get<{ Querystring: GrantQuery }>(
    path,
    about('List the grants of users to MCP clients', {
      operationId: 'listAgentGrants',
      description: 'Lists the access that users granted to MCP clients, newest first.',
      querystring: grantsQuery,
      response: { 200: grantsSchema },
    }),
    ({ applicationId, query }) => grantedList.list(applicationId, query),
  );
  app.delete<{ Params: { readonly agentGrantId: string } }>(
    `${path}/:agentGrantId`,
    about('Revoke a grant of a user to an MCP client', {
      operationId: 'revokeAgentGrant',
      description:
        'Revokes the access that the user granted to the client, with all tokens of the client for this user.',
      errors: ['not_found'],
      params: grantParams,
      response: nothing,
    }),
    async ({ applicationId, params }, reply) => {
      await grantedList.revoke(applicationId, params.agentGrantId);
      return reply.code(204).send();
    },
  );
}

/**
 * Adds routes for the sign-in settings of MCP clients, registered MCP clients, and the access that users granted. A
 * hook of `app` must authenticate requests.
 */
export function addAgentAccessRoutes(
  app: FastifyInstance,
  {
    agentAccesses,
    agentClients,
    grantedList,
    checkTokenNames,
  }: {
    readonly agentAccesses: AgentAccesses;
    readonly agentClients: AgentClients;
    readonly grantedList: GrantedList;
    readonly checkTokenNames: CheckTokenNames;
  },
): void {
  addAccess(app, agentAccesses, checkTokenNames);
  addClients(app, agentClients);
  addGrants(app, grantedList);
}

/**
 * Adds the route with which an application confirms the user of an MCP client's sign-in. It needs the application's own
 * credentials. A hook of `app` must authenticate requests.
 */
export function addAgentSignInRoute(
  app: FastifyInstance,
  { agentSignIns }: { readonly agentSignIns: AgentSignIns },
): void {
  app.post<{ Body: { readonly ticket: string; readonly identifier: string } }>(
    '/agent-sign-ins',
    about('Confirm the user of an agent sign-in', {
      operationId: 'confirmAgentSignIn',
      description: 'Confirms which user of your application opened the sign-in URL. Each ticket works once.',
      errors: ['not_found', 'forbidden'],
      body: signInSchema,
      response: { 200: redirectSchema },
    }),
    ({ applicationId, body }) => agentSignIns.identify(applicationId, body),
  );
}
