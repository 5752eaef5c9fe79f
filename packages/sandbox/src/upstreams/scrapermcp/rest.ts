import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shortId } from './actor.js';
import { restRun } from './present-run.js';
import type { Account } from './runs.js';

export const restFailure = (type: string, message: string) => ({ error: { type, message } });

interface ById {
  Params: { id: string };
}

/** The few paths of the REST API that go with the MCP server. */
export function addRestApi(
  app: FastifyInstance,
  prefix: string,
  accountOf: (request: FastifyRequest) => Account,
): void {
  app.get(`${prefix}/v2/users/me`, async () => ({
    data: { id: shortId('user'), username: 'ada', email: 'ada@example.com', plan: { id: 'FREE' } },
  }));
  app.get<ById>(`${prefix}/v2/actor-runs/:id`, async (request, reply) => {
    const account = accountOf(request);
    const run = account.run(request.params.id);
    if (run !== undefined) return { data: restRun(account, run) };
    return reply.code(404).send(restFailure('record-not-found', 'Actor run was not found'));
  });
  app.get<ById>(`${prefix}/v2/datasets/:id/items`, async (request, reply) => {
    const items = accountOf(request).items(request.params.id);
    return items ?? reply.code(404).send(restFailure('record-not-found', 'Dataset was not found'));
  });
}
