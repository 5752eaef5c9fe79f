import type { FastifyPluginAsync } from 'fastify';
import type { Accounts, Key } from '../accounts/accounts.js';
import type { AuthorizationLinks } from '../accounts/authorization-links.js';
import type { AccountName } from '../accounts/find-account.js';
import type { PageRequest } from '../accounts/page.js';
import {
  accountIdParams,
  accountParams,
  accountSchema,
  connectionParams,
  keySchema,
  linkOptionsSchema,
  linkSchema,
  nothing,
} from './account-schemas.js';
import { pageOf, pageQuery } from './list-schema.js';

export interface AccountParts {
  readonly accounts: Accounts;
  readonly links: Pick<AuthorizationLinks, 'create'>;
}

interface Named {
  readonly Params: AccountName;
}

interface Identified {
  readonly Params: { readonly id: string };
}

const OF_CONNECTION = '/v1/connections/:connectionName/accounts';
const BY_NAME = `${OF_CONNECTION}/:identifier`;
const BY_ID = '/v1/accounts/:id';
const tags = ['accounts'];
const one = { 200: accountSchema };

/** Connected accounts of an application. Requests must be authenticated by a hook of `app`. */
export const accountRoutes =
  ({ accounts, links }: AccountParts): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Params: { connectionName: string }; Querystring: PageRequest }>(
      OF_CONNECTION,
      {
        schema: {
          tags,
          summary: 'List the accounts of a connection',
          params: connectionParams,
          querystring: pageQuery(),
          response: { 200: pageOf(accountSchema) },
        },
      },
      ({ applicationId, params, query }) => accounts.list(applicationId, params.connectionName, query),
    );

    const params = accountParams;
    app.put<Named & { Body: Key | undefined }>(
      BY_NAME,
      {
        schema: {
          tags,
          summary: 'Get an account, or create it; a key in the body authorizes it',
          params,
          body: keySchema,
          response: { ...one, 201: accountSchema },
        },
        config: { takesIdempotencyKey: true },
        preValidation: async (request) => {
          request.body ??= {};
        },
      },
      async ({ applicationId, params: name, body }, reply) => {
        const { account, created } = await accounts.getOrCreate(applicationId, name, body);
        reply.code(created ? 201 : 200);
        return account;
      },
    );

    app.get<Named>(
      BY_NAME,
      { schema: { tags, summary: 'Get an account', params, response: one } },
      ({ applicationId, params: name }) => accounts.get(applicationId, name),
    );

    app.delete<Named>(
      BY_NAME,
      {
        schema: {
          tags,
          summary: 'Delete an account and end its access upstream',
          params,
          response: { 204: nothing },
        },
      },
      async ({ applicationId, params: name }, reply) => {
        await accounts.delete(applicationId, name);
        return reply.code(204).send();
      },
    );

    app.post<Named & { Body: { replace?: boolean } }>(
      `${BY_NAME}/authorization-link`,
      {
        schema: {
          tags,
          summary: 'Make a link by which the user approves; it can be used once, for 30 minutes',
          params,
          body: linkOptionsSchema,
          response: { 200: linkSchema },
        },
        config: { takesIdempotencyKey: true },
        preValidation: async (request) => {
          request.body ??= {};
        },
      },
      ({ applicationId, params: name, body }) => links.create(applicationId, name, body),
    );

    app.get<Identified>(
      BY_ID,
      { schema: { tags, summary: 'Get an account by its id', params: accountIdParams, response: one } },
      ({ applicationId, params: { id } }) => accounts.getById(applicationId, id),
    );

    app.delete<Identified>(
      BY_ID,
      {
        schema: {
          tags,
          summary: 'Delete an account by its id',
          params: accountIdParams,
          response: { 204: nothing },
        },
      },
      async ({ applicationId, params: { id } }, reply) => {
        await accounts.deleteById(applicationId, id);
        return reply.code(204).send();
      },
    );
  };
