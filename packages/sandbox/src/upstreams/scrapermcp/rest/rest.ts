import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shortId } from '../actor.js';
import { datasetEndpoints } from './datasets.js';
import { addEndpoints, type Endpoint, notEmulated, type Owned } from './endpoint.js';
import { runEndpoints } from './runs.js';
import { storeEndpoints } from './stores.js';

const me = { id: shortId('user'), username: 'ada', email: 'ada@example.com', plan: { id: 'FREE' } };

const userEndpoints: readonly Endpoint[] = [
  ['GET', '/users/me', () => ({ data: me })],
  ['GET', '/users/:user', () => ({ data: { username: me.username, profile: { name: 'Ada Lovelace' } } })],
];

/** The REST API that goes with the MCP server: actors, runs, datasets and key-value stores. */
export function addRestApi(
  app: FastifyInstance,
  prefix: string,
  owned: (request: FastifyRequest) => Owned,
): void {
  addEndpoints(app, [...userEndpoints, ...runEndpoints, ...datasetEndpoints, ...storeEndpoints], {
    prefix,
    owned,
  });
  // Builds, schedules, tasks, queues of requests and webhooks, among others.
  app.all(`${prefix}/v2/*`, (_, reply) => notEmulated(reply));
}
