import type { FastifyInstance } from 'fastify';
import type { AgentAccesses, AgentAccessInput } from '../../grants/agent-access.js';
import type { AgentClient, AgentClients } from '../../grants/agent-clients.js';
import type { AgentSignIns } from '../../grants/agent-sign-ins.js';
import type { GrantedList, GrantQuery } from '../../grants/granted-list.js';
import { SMALL_BODY } from '../../listener/body-limits.js';
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

const about = (summary: string, schema: object) => ({
  schema: { tags: ['agents'], summary, ...schema },
  bodyLimit: SMALL_BODY,
});
const nothing = { 204: { type: 'null' } };

function addAccess(app: FastifyInstance, agentAccesses: AgentAccesses): void {
  const path = '/agent-access';
  app.get(
    path,
    about('Get how users sign in to grant MCP clients access; without signInUrl and openId, nobody can', {
      response: { 200: accessSchema },
    }),
    ({ applicationId }) => agentAccesses.show(applicationId),
  );
  app.put<{ Body: AgentAccessInput }>(
    path,
    about('Set how users sign in to grant MCP clients access', {
      body: accessInputSchema,
      response: { 200: accessSchema },
    }),
    ({ applicationId, body }) => agentAccesses.put(applicationId, body),
  );
  app.delete(
    path,
    about('Turn off the sign-in for MCP clients; existing clients get no new tokens', {
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
    about('List the MCP clients that the application registered', { response: { 200: clientsSchema } }),
    ({ applicationId }) => agentClients.list(applicationId),
  );
  app.post<{ Body: Pick<AgentClient, 'name' | 'redirectUris'> }>(
    path,
    {
      ...about('Register an MCP client; it has no client secret', {
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
    about('Delete an MCP client and revoke its grants', { params: clientParams, response: nothing }),
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
    about('List the grants of users to MCP clients, newest first', {
      querystring: grantsQuery,
      response: { 200: grantsSchema },
    }),
    ({ applicationId, query }) => grantedList.list(applicationId, query),
  );
  app.delete<{ Params: { readonly agentGrantId: string } }>(
    `${path}/:agentGrantId`,
    about('Revoke a grant of a user to an MCP client, with all its tokens', {
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
  }: {
    readonly agentAccesses: AgentAccesses;
    readonly agentClients: AgentClients;
    readonly grantedList: GrantedList;
  },
): void {
  addAccess(app, agentAccesses);
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
    about('Confirm which user opened the sign-in URL; each ticket works once', {
      body: signInSchema,
      response: { 200: redirectSchema },
    }),
    ({ applicationId, body }) => agentSignIns.identify(applicationId, body),
  );
}
