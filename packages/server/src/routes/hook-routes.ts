import { isJsonObject } from '@svc/catalog';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { parseQueued } from '../front/parse-queued.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { NamedSubscription, Payload, ReceiveWebhook } from '../subscriptions/receive-webhook.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../text/json-depth.js';
import { parseObject } from '../text/json-object.js';
import { nothing } from './account-schemas.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Webhook subscription that the URL of the request identifies; `undefined` on every other route. */
    subscription: NamedSubscription | undefined;
  }
}

/** Maximum size of a webhook's body in bytes. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;
/** JSON types, also with parameters such as `charset`, because Fastify matches the whole header. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:;|$)/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

interface Hook {
  readonly Params: { readonly connectionId: string; readonly key: string };
}

export interface HookRoutesParts {
  readonly receiveWebhook: ReceiveWebhook;
  readonly rateLimits: Pick<RateLimits, 'address' | 'application'>;
}

const notFound = () =>
  new ServiceError(
    'not_found',
    'No webhook subscription has the URL of this request. Delete the webhook with this URL at the upstream that sends it.',
  );

const noObject = () =>
  new ServiceError(
    'invalid_request',
    `The body is not a JSON object in UTF-8 with at most ${MAX_JSON_DEPTH} levels of nesting. Send such an object as application/json.`,
  );

const tooMany = (seconds: number) =>
  new ServiceError('rate_limited', `Too many webhook requests arrived. Retry in ${seconds} s.`, {
    retryAfter: seconds,
  });

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw noObject();
  }
}

/**
 * Parses JSON that a request of an application may not contain, such as repeated keys, because the upstream cannot
 * correct its payload. Returns `undefined` for anything but a JSON object.
 */
const parseObjectOf = (body: Buffer): unknown => (isTooDeep(body) ? undefined : parseObject(decode(body)));

/**
 * Parses the JSON body of a webhook. Also keeps the text, because numbers and the order of keys must reach the
 * application unchanged.
 */
async function parsePayload({ address, raw }: FastifyRequest, body: Buffer): Promise<Payload> {
  const isDisconnected = () => raw.socket.destroyed;
  const value = await parseQueued(body, { owner: address, isDisconnected }, parseObjectOf);
  if (!isJsonObject(value)) throw noObject();
  return { text: decode(body).trim(), value };
}

/**
 * Adds the public route that receives webhooks of upstreams. Every unknown webhook URL gets the same response, before
 * the body is read. Only guessed URLs count against the limit of their IP address, because one upstream sends the
 * webhooks of all its users. The URL of a deleted subscription is no guess.
 */
export function addHookRoutes(app: FastifyInstance, { receiveWebhook, rateLimits }: HookRoutesParts): void {
  app.decorateRequest('subscription', undefined);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, parsePayload);
    scope.addHook<Hook>('onRequest', async (request) => {
      const { connectionId, key } = request.params;
      const isOurs = receiveWebhook.isOurs(connectionId, key);
      if (!isOurs && rateLimits.address.isUsedUp(request.address)) throw tooMany(1);
      request.subscription = await receiveWebhook.find(connectionId, key);
      if (request.subscription === undefined) {
        if (!isOurs) rateLimits.address.take(request.address);
        throw notFound();
      }
      const { isAllowed, seconds } = rateLimits.application.take(`webhooks of ${connectionId}`);
      if (!isAllowed) throw tooMany(seconds);
    });
    scope.post<Hook & { Body: Payload | undefined }>(
      '/hooks/:connectionId/:key',
      { schema: { hide: true, response: { 204: nothing } }, bodyLimit: MAX_PAYLOAD_BYTES },
      async ({ body, subscription }, reply) => {
        if (subscription === undefined) throw notFound();
        if (body === undefined) throw noObject();
        await receiveWebhook.receive(subscription, body);
        return reply.code(204).send();
      },
    );
  });
}
