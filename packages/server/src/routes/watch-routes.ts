import type { FastifyInstance, FastifySchema } from 'fastify';
import { belongingTo, closed, pageOf, pageQuery } from '../listener/list-schema.js';
import type { PageRequest } from '../page.js';
import type { NewWatch } from '../watches/create-watch.js';
import type { Watches, WatchSettings } from '../watches/watches.js';
import { nothing } from './account-schemas.js';
import { ifMatchOf } from './add-etags.js';
import { newWatchSchema, WATCH_ID, watchSchema, watchSettingsSchema } from './watch-schemas.js';

const text = { type: 'string' };
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
  const { accountId } = belongingTo('watches');
  app.get<{ Querystring: PageRequest & { accountId?: string } }>(
    ALL,
    {
      schema: about('List watches', {
        operationId: 'listWatches',
        description: 'Lists the watches of the application, newest first.',
        querystring: pageQuery({ accountId }),
        response: { 200: pageOf(watchSchema) },
      }),
    },
    ({ applicationId, query }) => watches.list(applicationId, query),
  );
  const post: FastifySchema = {
    operationId: 'createWatch',
    description:
      'The service polls the list that the tool returns, and reports new, changed and deleted items as events of the types watch.item_created, watch.item_changed and watch.item_deleted. If the account already has an equal watch, the response contains that watch. An application can have 1,000 watches, and an account can have 100.',
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
        description: 'The `state` of the watch says whether the watch works.',
        errors: NOT_FOUND,
        params,
        response: { 200: watchSchema },
      }),
    },
    ({ applicationId, params: { watchId } }) => watches.get(applicationId, watchId),
  );
  const patch: FastifySchema = {
    operationId: 'updateWatch',
    description: 'Omitted settings stay unchanged. A changed watch polls its list at once.',
    errors: NOT_FOUND,
    params,
    body: watchSettingsSchema,
    response: { 200: watchSchema },
  };
  app.patch<ById & { Body: WatchSettings }>(
    ONE,
    { schema: about('Change a watch', patch) },
    ({ applicationId, params: { watchId }, body, headers }) =>
      watches.update(applicationId, watchId, body, ifMatchOf({ headers })),
  );
  app.delete<ById>(
    ONE,
    {
      schema: about('Delete a watch', {
        operationId: 'deleteWatch',
        description: 'Stops and deletes the watch. Its events stay in the list of events.',
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

/**
 * Adds routes that manage the watches of an application. A watch polls a list of an upstream and reports its changes. A
 * hook of `app` must authenticate requests.
 */
export function addWatchRoutes(app: FastifyInstance, { watches }: { readonly watches: Watches }): void {
  addCollection(app, watches);
  addOne(app, watches);
}
