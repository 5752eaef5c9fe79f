import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { AccountName } from '../connections/find-account.js';
import { SMALL_BODY } from '../listener/body-limits.js';
import type { DocumentedError } from '../listener/documented-errors.js';
import { closed, named, pageOf, pageQuery, type Schema } from '../listener/list-schema.js';
import type { PageRequest } from '../page.js';
import type {
  AccountReference,
  NewSubscription,
  ToolCallOfRequest,
  WebhookSubscriptions,
} from '../subscriptions/webhook-subscriptions.js';
import { accountIdParams, accountParams, labelQuery, nothing } from './account-schemas.js';
import type { LimitRate } from './limit-rate.js';

const text = { type: 'string' };
const time = { ...text, format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };
const SUBSCRIPTION_ID = 'sub_0193f2a8c4d17b3e9a5c6d7e';
const trigger = {
  ...text,
  minLength: 1,
  maxLength: 64,
  examples: ['conversation_processed'],
  description:
    'Trigger: a kind of webhook that the upstream sends. `eventTypes` of GET /v1/connectors/{name} lists the triggers, each as `{connector}.{trigger}`.',
};

const subscriptionSchema = named(
  'WebhookSubscription',
  closed(
    {
      id: { ...text, examples: [SUBSCRIPTION_ID] },
      accountId: { ...text, examples: ['acct_0193f2a8c4d17b3e9a5c6d7e'] },
      trigger,
      type: {
        ...text,
        examples: ['convintel.conversation_processed'],
        description: 'Type of the events that the service creates for this subscription.',
      },
      state: {
        ...text,
        enum: ['active', 'unconfirmed'],
        description:
          'unconfirmed: the upstream did not say whether the subscription exists, for example because it did not respond in time.',
      },
      upstreamId: {
        ...text,
        description: 'Id of the subscription at the upstream. Absent while `state` is `unconfirmed`.',
      },
      createdAt: time,
      receivedAt: {
        ...time,
        description:
          'When the last webhook of this subscription arrived that became an event. Absent before the first one.',
      },
    },
    ['id', 'accountId', 'trigger', 'type', 'state', 'createdAt'],
  ),
  { upstreamId: '9d8c7b6a-5f4e-4d3c-8b2a-1f0e9d8c7b6a' },
);
const newSubscriptionSchema = named('NewWebhookSubscription', closed({ trigger }));

const subscriptionId = {
  ...text,
  maxLength: 128,
  examples: [SUBSCRIPTION_ID],
  description: 'Id of the subscription.',
};

interface ByName {
  readonly Params: Omit<AccountName, 'account'>;
  readonly Querystring: Pick<AccountName, 'account'> & PageRequest;
}
interface ById {
  readonly Params: { readonly id: string };
  readonly Querystring: PageRequest;
}
interface One {
  readonly Params: { readonly subscriptionId: string };
}

const NOT_FOUND = ['connection_not_found', 'account_not_found', 'not_found'] as const;
const OF_CALL: readonly DocumentedError[] = [
  'account_not_authorized',
  'approval_required',
  'approval_denied',
  'conflict',
  'upstream_failed',
  'connection_failed',
  'upstream_timeout',
];

const TEXTS = {
  create: {
    operationId: 'createWebhookSubscription',
    description:
      "Calls the connector's tool that creates a webhook, with an address of this service that only the upstream knows. The payloads that the upstream sends become events, if a webhook endpoint wants their type. An account can have 100 subscriptions.",
    errors: ['connection_not_found', 'account_not_found', 'connection_not_configured', ...OF_CALL],
  },
  list: {
    operationId: 'listWebhookSubscriptions',
    description: 'Lists the webhook subscriptions of the account, oldest first.',
    errors: ['connection_not_found', 'account_not_found'],
  },
  delete: {
    operationId: 'deleteWebhookSubscription',
    description:
      'Deletes the subscription in this service and at the upstream. When the service deletes the account or revokes its access, it also deletes the subscriptions.',
    errors: [...NOT_FOUND, ...OF_CALL],
  },
} as const;

export interface SubscriptionRoutesParts {
  readonly webhookSubscriptions: WebhookSubscriptions;
  readonly limitAccount: LimitRate;
}

/** Form of a URL path that identifies an account: by connection name, user identifier and label, or by account id. */
interface Naming {
  readonly path: string;
  readonly params: { readonly properties: Readonly<Record<string, Schema>> };
  /** Texts that are appended to the OpenAPI operation id and summary of a route with this form of path. */
  readonly suffix: { readonly id: string; readonly summary: string };
  readonly query: Readonly<Record<string, Schema>>;
  readonly referenceOf: (request: FastifyRequest) => AccountReference;
}

// The casts are safe, because the schemas of the routes validate the parameters.
const NAMINGS: readonly Naming[] = [
  {
    path: '/connections/:connectionName/accounts/:identifier/webhooks',
    params: accountParams,
    suffix: { id: '', summary: '' },
    query: labelQuery.properties,
    referenceOf: ({ params, query }) => {
      const { connectionName, identifier } = params as ByName['Params'];
      const { account } = query as ByName['Querystring'];
      return { connectionName, identifier, account };
    },
  },
  {
    path: '/accounts/:id/webhooks',
    params: accountIdParams,
    suffix: { id: 'ById', summary: ' by its id' },
    query: {},
    referenceOf: ({ params }) => ({ id: (params as ById['Params']).id }),
  },
];

function addNamed(
  app: FastifyInstance,
  { webhookSubscriptions, limitAccount }: SubscriptionRoutesParts,
  { path, params, suffix, query, referenceOf }: Naming,
): void {
  const about = (name: keyof typeof TEXTS, summary: string, schema: FastifySchema) => ({
    tags: ['accounts'],
    summary: `${summary}${suffix.summary}`,
    ...TEXTS[name],
    operationId: TEXTS[name].operationId + suffix.id,
    ...schema,
  });
  const callOf = (request: FastifyRequest, reply: FastifyReply): ToolCallOfRequest => ({
    requestId: request.id,
    onAccount: ({ id }) => limitAccount(request, reply, id),
  });
  const querystring = closed(query, []);
  const post = { params, querystring, body: newSubscriptionSchema, response: { 201: subscriptionSchema } };
  app.post<{ Body: NewSubscription }>(
    path,
    {
      schema: about('create', "Subscribe an account to its upstream's webhooks", post),
      config: { keyedBy: 'accountId' },
      bodyLimit: SMALL_BODY,
    },
    async (request, reply) => {
      const { applicationId, body } = request;
      reply.code(201);
      return webhookSubscriptions.create(applicationId, referenceOf(request), body, callOf(request, reply));
    },
  );
  const get = { params, querystring: pageQuery(query), response: { 200: pageOf(subscriptionSchema) } };
  app.get<{ Querystring: PageRequest }>(
    path,
    { schema: about('list', 'List the webhook subscriptions of an account', get) },
    (request) => webhookSubscriptions.list(request.applicationId, referenceOf(request), request.query),
  );
  const one = {
    params: closed({ ...params.properties, subscriptionId }),
    querystring,
    response: { 204: nothing },
  };
  app.delete<One>(
    `${path}/:subscriptionId`,
    { schema: about('delete', 'Delete a webhook subscription of an account', one) },
    async (request, reply) => {
      const { applicationId, params: of } = request;
      const call = callOf(request, reply);
      await webhookSubscriptions.delete(applicationId, referenceOf(request), of.subscriptionId, call);
      return reply.code(204).send();
    },
  );
}

/**
 * Adds the routes that subscribe accounts to webhooks of their upstreams. A hook of `app` must authenticate requests.
 */
export function addSubscriptionRoutes(app: FastifyInstance, parts: SubscriptionRoutesParts): void {
  for (const naming of NAMINGS) addNamed(app, parts, naming);
}
