import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import type { EndpointSettings, NewEndpoint } from '../events/webhook-endpoint.js';
import type { RotationOptions, WebhookEndpoints } from '../events/webhook-endpoints.js';
import { closed, named, pageOf, pageQuery } from '../listener/list-schema.js';
import type { PageRequest } from '../page.js';
import { nothing } from './account-schemas.js';
import { ifMatchOf } from './add-etags.js';
import { etagSchema } from './etag-schema.js';
import { ENDPOINT_ID, eventTypes } from './event-schemas.js';

const text = { type: 'string' };
const time = { ...text, format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };
const url = {
  ...text,
  minLength: 1,
  maxLength: 2048,
  examples: ['https://hooks.example.com/svc'],
  description: 'https URL on port 443. An operator can allow other origins.',
};
const types = { ...eventTypes, description: 'Types of the events that the endpoint gets.' };
const connectionName = {
  ...text,
  minLength: 1,
  maxLength: 64,
  examples: ['crm'],
  description:
    'Name of the connection whose events the endpoint gets. Absent: the endpoint gets the events of all connections. The endpoint always gets events that are about no connection, such as endpoint.disabled.',
};
const connectionSetting = {
  ...connectionName,
  type: ['string', 'null'],
  description: `${connectionName.description} \`null\` removes the limit.`,
};
const description = { ...text, maxLength: 256, examples: ['Production'] };
const ordered = {
  type: 'boolean',
  description:
    'True to deliver the events of one account in their order: a later event waits until the earlier one was delivered or has finally failed.',
};
const enabled = {
  type: 'boolean',
  description:
    'False to stop deliveries to the endpoint. Events that occur while the endpoint is disabled get no delivery; `GET /v1/events` lists them.',
};
const secret = {
  ...text,
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA='],
  description: 'Secret with which the service signs the deliveries. Only this response contains the secret.',
};

const OPTIONAL = {
  connectionName,
  description,
  disabledReason: {
    ...text,
    enum: ['gone', 'failing'],
    description:
      'Reason why the service disabled the endpoint. gone: the endpoint responded with status 410. failing: all delivery attempts failed for five days.',
  },
  pausedReason: {
    ...text,
    enum: ['secret_unreadable'],
    description:
      'Reason why the service paused the endpoint. secret_unreadable: the service cannot decrypt the signing secret, because its key was lost. Deliveries are kept and continue after the secret was rotated.',
  },
  failingSince: {
    ...time,
    description:
      'Time of the first failed delivery attempt since the last successful one. Absent if the last delivery attempt succeeded.',
  },
  previousSecretExpiresAt: {
    ...time,
    description: 'Time until which each delivery also has a signature of the previous secret.',
  },
};
const REQUIRED = {
  id: { ...text, examples: [ENDPOINT_ID] },
  url,
  types,
  ordered,
  enabled: { ...enabled, examples: [true] },
  createdAt: time,
  updatedAt: time,
  etag: { ...etagSchema, description: `${etagSchema.description} The value does not depend on \`enabled\`.` },
};

const endpointSchema = named('WebhookEndpoint', closed({ ...REQUIRED, ...OPTIONAL }, Object.keys(REQUIRED)));
const withSecretSchema = named(
  'WebhookEndpointWithSecret',
  closed({ ...REQUIRED, secret, ...OPTIONAL }, [...Object.keys(REQUIRED), 'secret']),
);

const settings = { url, types, connectionName: connectionSetting, description, ordered, enabled };
const newEndpointSchema = named('NewWebhookEndpoint', closed(settings, ['url', 'types']), { ordered: true });
const settingsSchema = named(
  'WebhookEndpointSettings',
  { ...closed(settings, []), minProperties: 1 },
  { enabled: true },
);
const rotationSchema = named(
  'SecretRotation',
  closed(
    {
      oldSecretExpiresIn: {
        type: 'integer',
        minimum: 0,
        maximum: 7 * 86_400,
        default: 86_400,
        description:
          'Seconds for which each delivery also has a signature of the previous secret. At most 7 days.',
      },
    },
    [],
  ),
  { oldSecretExpiresIn: 3600 },
);

const ALL = '/webhook-endpoints';
const ONE = `${ALL}/:endpointId`;
export const endpointParams = closed({
  endpointId: {
    ...text,
    maxLength: 128,
    examples: [ENDPOINT_ID],
    description: 'Id of the webhook endpoint.',
  },
});
const NOT_FOUND = ['not_found'] as const;

interface ById {
  readonly Params: { readonly endpointId: string };
}

const about = (summary: string, schema: FastifySchema) => ({ tags: ['webhooks'], summary, ...schema });

async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

function addCollection(app: FastifyInstance, endpoints: WebhookEndpoints): void {
  app.get<{ Querystring: PageRequest }>(
    ALL,
    {
      schema: about('List webhook endpoints', {
        operationId: 'listWebhookEndpoints',
        description: 'Lists the webhook endpoints of the application, oldest first, without their secrets.',
        querystring: pageQuery(),
        response: { 200: pageOf(endpointSchema) },
      }),
    },
    ({ applicationId, query }) => endpoints.list(applicationId, query),
  );
  const post: FastifySchema = {
    operationId: 'createWebhookEndpoint',
    description:
      'The service sends each new event of the given types to the URL of the endpoint, signed as Standard Webhooks define. An application can have 100 endpoints.',
    errors: ['connection_not_found', 'conflict'],
    body: newEndpointSchema,
    response: { 201: withSecretSchema },
  };
  app.post<{ Body: NewEndpoint }>(
    ALL,
    { schema: about('Create a webhook endpoint', post), config: { keyedBy: 'webhookEndpointId' } },
    async ({ applicationId, body }, reply) => {
      reply.code(201);
      return endpoints.create(applicationId, body);
    },
  );
}

function addOne(app: FastifyInstance, endpoints: WebhookEndpoints): void {
  app.get<ById>(
    ONE,
    {
      schema: about('Get a webhook endpoint', {
        operationId: 'getWebhookEndpoint',
        description: 'The response does not contain the secret of the endpoint.',
        errors: NOT_FOUND,
        params: endpointParams,
        response: { 200: endpointSchema },
      }),
    },
    ({ applicationId, params: { endpointId } }) => endpoints.get(applicationId, endpointId),
  );
  const patch: FastifySchema = {
    operationId: 'updateWebhookEndpoint',
    description:
      'Omitted settings stay unchanged. Pending deliveries continue when a disabled endpoint is enabled again.',
    errors: ['connection_not_found', ...NOT_FOUND],
    params: endpointParams,
    body: settingsSchema,
    response: { 200: endpointSchema },
  };
  app.patch<ById & { Body: EndpointSettings }>(
    ONE,
    { schema: about('Change a webhook endpoint', patch) },
    ({ applicationId, params: { endpointId }, body, headers }) =>
      endpoints.update(applicationId, endpointId, body, ifMatchOf({ headers })),
  );
  app.delete<ById>(
    ONE,
    {
      schema: about('Delete a webhook endpoint', {
        operationId: 'deleteWebhookEndpoint',
        description: 'Deletes the endpoint and its deliveries. The events stay in the list of events.',
        errors: NOT_FOUND,
        params: endpointParams,
        response: { 204: nothing },
      }),
    },
    async ({ applicationId, params: { endpointId } }, reply) => {
      await endpoints.delete(applicationId, endpointId);
      return reply.code(204).send();
    },
  );
}

function addRotation(app: FastifyInstance, endpoints: WebhookEndpoints): void {
  const post: FastifySchema = {
    operationId: 'rotateWebhookSecret',
    description:
      'Creates a new secret for the endpoint. Until the previous secret expires, each delivery has the signatures of both secrets.',
    errors: [...NOT_FOUND, 'conflict'],
    params: endpointParams,
    isBodyOptional: true,
    body: rotationSchema,
    response: { 200: withSecretSchema },
  };
  app.post<ById & { Body: RotationOptions }>(
    `${ONE}/rotate-secret`,
    {
      schema: about('Rotate the secret of a webhook endpoint', post),
      config: { keyedBy: 'webhookEndpointId' },
      preValidation: allowNoBody,
    },
    ({ applicationId, params: { endpointId }, body }) =>
      endpoints.rotateSecret(applicationId, endpointId, body),
  );
}

/** Adds routes that manage the webhook endpoints of an application. A hook of `app` must authenticate requests. */
export function addEndpointRoutes(
  app: FastifyInstance,
  { webhookEndpoints }: { readonly webhookEndpoints: WebhookEndpoints },
): void {
  addCollection(app, webhookEndpoints);
  addOne(app, webhookEndpoints);
  addRotation(app, webhookEndpoints);
}
