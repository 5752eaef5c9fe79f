import type { FastifyInstance, FastifySchema } from 'fastify';
import { closed, named, pageOf, pageQuery } from '../listener/list-schema.js';
import type { PageRequest } from '../page.js';
import type { NewWatch, Watches, WatchSettings } from '../watches/watches.js';
import { nothing } from './account-schemas.js';

const text = { type: 'string' };
const time = { ...text, format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };
const WATCH_ID = 'watch_0193f2a8c4d17b3e9a5c6d7e';
const TOOL = 'crm_contacts_list';
const INPUT = { team: 'sales' };

const every = {
  type: 'integer',
  minimum: 1,
  maximum: 604_800,
  examples: [300],
  description:
    'Seconds between two polls. At least 60 for an application that is marked as production. Default: 300.',
};
const enabled = {
  type: 'boolean',
  description: 'False to stop polling. True continues at the last position, also after a failure.',
};
const toolInput = {
  type: 'object',
  additionalProperties: true,
  description: 'Input of the tool, without inputs for pages, order and time.',
};
const connectionName = { ...text, minLength: 1, maxLength: 64, examples: ['crm'] };
const identifier = { ...text, minLength: 1, maxLength: 256, examples: ['ada'] };
const account = {
  ...text,
  maxLength: 64,
  examples: ['work'],
  description: 'Label of the account, if it has one.',
};

const REQUIRED = {
  id: { ...text, examples: [WATCH_ID] },
  toolName: { ...text, examples: [TOOL] },
  toolInput,
  accountId: { ...text, examples: ['acct_0193f2a8c4d17b3e9a5c6d7e'] },
  connectionName,
  identifier,
  every,
  enabled: { ...enabled, examples: [true] },
  state: {
    ...text,
    enum: ['starting', 'watching', 'paused', 'failed'],
    description:
      'starting: the first poll has not ended. paused: the watch continues when the account has access again. failed: the watch has ended until it is enabled again.',
  },
  createdAt: time,
  updatedAt: time,
};
const OPTIONAL = {
  account,
  reason: {
    ...text,
    examples: ['account_not_authorized'],
    description: 'Reason why the watch is paused or failed.',
  },
  startedAt: { ...time, description: 'Time since when changes are reported.' },
  polledAt: { ...time, description: 'End of the last complete poll.' },
  nextPollAt: { ...time, description: 'Time of the next poll. Absent for a stopped watch.' },
};

const watchSchema = named('Watch', closed({ ...REQUIRED, ...OPTIONAL }, Object.keys(REQUIRED)), {
  toolInput: INPUT,
  state: 'watching',
});

const newWatchSchema = named(
  'NewWatch',
  closed(
    {
      toolName: { ...text, minLength: 1, maxLength: 128, examples: [TOOL] },
      toolInput,
      connectedAccountId: {
        ...text,
        minLength: 1,
        maxLength: 128,
        description: 'Id of the account. Alternatively, send connectionName and identifier.',
      },
      connectionName,
      identifier,
      account,
      every,
      from: {
        ...text,
        enum: ['now', 'start'],
        default: 'now',
        description: 'start: the existing items of the list are reported as new items too.',
      },
    },
    ['toolName', 'toolInput'],
  ),
  { toolInput: INPUT, connectionName: 'crm', identifier: 'ada' },
);
const settingsSchema = named(
  'WatchSettings',
  { ...closed({ every, enabled }, []), minProperties: 1 },
  { enabled: true },
);

const ALL = '/watches';
const ONE = `${ALL}/:watchId`;
const params = closed({
  watchId: { ...text, maxLength: 128, examples: [WATCH_ID], description: 'Id of the watch.' },
});
const NOT_FOUND = ['not_found'] as const;

interface ById {
  readonly Params: { readonly watchId: string };
}

const about = (summary: string, schema: FastifySchema) => ({ tags: ['watches'], summary, ...schema });

function addCollection(app: FastifyInstance, watches: Watches): void {
  const filters = {
    accountId: { ...text, maxLength: 128, description: 'Id of the account whose watches are listed.' },
  };
  app.get<{ Querystring: PageRequest & { accountId?: string } }>(
    ALL,
    {
      schema: about('List watches', {
        operationId: 'listWatches',
        description: 'Newest first.',
        querystring: pageQuery(filters),
        response: { 200: pageOf(watchSchema) },
      }),
    },
    ({ applicationId, query }) => watches.list(applicationId, query),
  );
  const post: FastifySchema = {
    operationId: 'createWatch',
    description:
      'The service polls the list that the tool returns, and reports new, changed and deleted items as events of the types watch.item_created, watch.item_changed and watch.item_deleted. An equal watch is returned instead of a second one. An application can have 1,000 watches, an account 100.',
    errors: [
      'invalid_input',
      'tool_not_found',
      'connection_not_found',
      'account_not_found',
      'account_not_authorized',
      'conflict',
    ],
    body: newWatchSchema,
    response: { 200: watchSchema, 201: watchSchema },
  };
  app.post<{ Body: NewWatch }>(
    ALL,
    { schema: about('Watch a list', post), config: { keyedBy: 'response' } },
    async ({ applicationId, body }, reply) => {
      const { watch, isNew } = await watches.create(applicationId, body);
      reply.code(isNew ? 201 : 200);
      return watch;
    },
  );
}

function addOne(app: FastifyInstance, watches: Watches): void {
  app.get<ById>(
    ONE,
    {
      schema: about('Get a watch', {
        operationId: 'getWatch',
        description: 'The state says whether the watch works.',
        errors: NOT_FOUND,
        params,
        response: { 200: watchSchema },
      }),
    },
    ({ applicationId, params: { watchId } }) => watches.get(applicationId, watchId),
  );
  const patch: FastifySchema = {
    operationId: 'updateWatch',
    description: 'Omitted settings stay unchanged. A changed watch polls at once.',
    errors: NOT_FOUND,
    params,
    body: settingsSchema,
    response: { 200: watchSchema },
  };
  app.patch<ById & { Body: WatchSettings }>(
    ONE,
    { schema: about('Change a watch', patch) },
    ({ applicationId, params: { watchId }, body }) => watches.update(applicationId, watchId, body),
  );
  app.delete<ById>(
    ONE,
    {
      schema: about('Delete a watch', {
        operationId: 'deleteWatch',
        description: 'The events of the watch stay in the list of events.',
        errors: NOT_FOUND,
        params,
        response: { 204: nothing },
      }),
    },
    async ({ applicationId, params: { watchId } }, reply) => {
      await watches.delete(applicationId, watchId);
      return reply.code(204).send();
    },
  );
}

/** Adds routes that manage the watches of an application. A hook of `app` must authenticate requests. */
export function addWatchRoutes(app: FastifyInstance, { watches }: { readonly watches: Watches }): void {
  addCollection(app, watches);
  addOne(app, watches);
}
