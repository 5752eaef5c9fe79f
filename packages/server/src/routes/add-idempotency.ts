import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CreatedObjects, ResponseSubject } from '../applications/idempotency.js';
import {
  type FinishRun,
  IDEMPOTENCY_HEADERS,
  type IdempotencyKeys,
  REPLAYED,
  readIdempotencyKey,
} from '../front/idempotency-keys.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Marks a route that accepts the header Idempotency-Key. The value says where the account or connection is named:
     * in the path and the query, in the body or in the response. `tokenId`, `agentClientId` and `webhookEndpointId` say
     * that the response contains the id of such an object. `accountId` and `endpointId` say that it contains the id of
     * the account or webhook endpoint to which the object belongs. `account` says that the response is an account.
     */
    readonly keyedBy?:
      | 'path'
      | 'body'
      | 'response'
      | 'account'
      | 'accountId'
      | 'endpointId'
      | keyof CreatedObjects;
  }
  interface FastifyRequest {
    finishRun: FinishRun | undefined;
  }
}

function subjectOf({ params, query, body, routeOptions }: FastifyRequest, response: string): ResponseSubject {
  const { keyedBy } = routeOptions.config;
  if (keyedBy === 'response') return JSON.parse(response);
  if (keyedBy === 'account') return { connectedAccountId: JSON.parse(response).id };
  if (keyedBy === 'accountId') return { connectedAccountId: JSON.parse(response).accountId };
  if (keyedBy === 'endpointId') return { webhookEndpointId: JSON.parse(response).endpointId };
  if (keyedBy === 'tokenId' || keyedBy === 'agentClientId' || keyedBy === 'webhookEndpointId')
    return { [keyedBy]: JSON.parse(response).id };
  // The cast is safe, because the schema of the route has validated path, query and body.
  return (keyedBy === 'path' ? { ...(params as object), ...(query as object) } : body) as ResponseSubject;
}

/**
 * Makes every route of `app` that sets `keyedBy` accept the header Idempotency-Key. A hook of `app` must authenticate
 * requests.
 */
export function addIdempotency(app: FastifyInstance, { beginRun }: Pick<IdempotencyKeys, 'beginRun'>): void {
  app.decorateRequest('finishRun', undefined);

  app.addHook('onRoute', (route) => {
    if (route.config?.keyedBy !== undefined) route.schema = { ...route.schema, headers: IDEMPOTENCY_HEADERS };
  });

  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.keyedBy === undefined) return;
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    if (key === undefined) return;
    const { applicationId, bearer, body, id, method, url } = request;
    const begun = await beginRun({ id, applicationId, bearer, method, url, key, body });
    if ('finish' in begun) {
      request.finishRun = begun.finish;
      return;
    }
    const { status, body: stored, errorCode } = begun.stored;
    if (errorCode !== undefined) reply.header('svc-error', errorCode);
    return reply.code(status).header(REPLAYED, 'true').type('application/json; charset=utf-8').send(stored);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const { finishRun } = request;
    if (finishRun === undefined) return payload;
    request.finishRun = undefined;
    const errorCode = reply.getHeader('svc-error')?.toString();
    const response = { status: reply.statusCode, body: String(payload), errorCode };
    await finishRun(response, (body) => subjectOf(request, body));
    return payload;
  });
}
