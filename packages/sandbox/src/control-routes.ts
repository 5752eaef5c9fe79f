import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Controls } from './controls.js';
import { isObject, parseJson } from './json.js';

interface OfUpstream {
  Params: { id: string };
}

/** Adds the HTTP API that lets another process control the sandbox. */
export function addControlRoutes(app: FastifyInstance, controls: Controls): void {
  app.register(
    async (routes) => {
      routes.setErrorHandler((error, _request, reply) =>
        reply.code(400).send({ error: { message: error instanceof Error ? error.message : String(error) } }),
      );
      routes.get('/', async () => ({ url: controls.url, upstreams: controls.upstreams }));
      addUpstreamRoutes(routes, controls);
      routes.get('/clock', async () => ({ now: await controls.clock.now() }));
      routes.post('/clock/advance', async (request) => ({
        now: await controls.clock.advance(Number(body(request).ms)),
      }));
      routes.delete('/clock', async (_request, reply) => {
        await controls.clock.reset();
        return reply.code(204).send();
      });
      routes.get<{ Querystring: { id?: string } }>('/requests', async ({ query }) => ({
        requests: await controls.requests(query.id),
      }));
      routes.delete('/requests', async (_request, reply) => {
        await controls.clearRequests();
        return reply.code(204).send();
      });
      routes.post('/reset', async (_request, reply) => {
        await controls.reset();
        return reply.code(204).send();
      });
    },
    { prefix: '/_sandbox' },
  );
}

function addUpstreamRoutes(routes: FastifyInstance, controls: Controls): void {
  routes.post<OfUpstream>('/upstreams/:id/clients', async (request, reply) => {
    const { redirectUris, name } = body(request);
    if (!Array.isArray(redirectUris))
      throw new Error('The field "redirectUris" is missing or not a list. Give a list of URLs.');
    const client = { redirectUris: redirectUris.map(String), ...(typeof name === 'string' ? { name } : {}) };
    return reply.code(201).send(await controls.registerClient(request.params.id, client));
  });
  routes.get<OfUpstream>('/upstreams/:id/dials', async ({ params }) => controls.dials(params.id));
  routes.patch<OfUpstream>('/upstreams/:id/dials', async (request) =>
    controls.dials(request.params.id, body(request)),
  );
  routes.post<OfUpstream>('/upstreams/:id/expire-tokens', async ({ params }, reply) => {
    await controls.expireTokens(params.id);
    return reply.code(204).send();
  });
  routes.post<OfUpstream>('/upstreams/:id/revoke-grants', async ({ params }, reply) => {
    await controls.revokeGrants(params.id);
    return reply.code(204).send();
  });
  routes.post<OfUpstream>('/upstreams/:id/webhooks', async (request) => {
    const { trigger } = body(request);
    return { sent: await controls.sendWebhooks(request.params.id, String(trigger)) };
  });
}

function body(request: FastifyRequest): Record<string, unknown> {
  const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  const parsed = text === '' ? {} : parseJson(text);
  if (!isObject(parsed)) throw new Error('The body is not a JSON object. Send a JSON object.');
  return parsed;
}
