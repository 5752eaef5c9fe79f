import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthorizationLinks, LinkOptions } from '../authorization/authorization-links.js';
import type { Verification, VerifyConsent } from '../authorization/verify-consent.js';
import type { AccountFilter, AccountList } from '../connections/account-list.js';
import type { AccountRequest, Accounts } from '../connections/accounts.js';
import type { AccountName } from '../connections/find-account.js';
import { ServiceError } from '../errors.js';
import { SMALL_BODY } from '../listener/body-limits.js';
import type { DocumentedError } from '../listener/documented-errors.js';
import { pageOf, pageQuery } from '../listener/list-schema.js';
import type { TokenUses } from '../tokens/token-uses.js';
import {
  accountFilters,
  accountIdParams,
  accountParams,
  accountRequestSchema,
  accountSchema,
  detailFilters,
  labelQuery,
  linkOptionsSchema,
  linkSchema,
  nothing,
  revokedSchema,
  verificationSchema,
  verifiedSchema,
} from './account-schemas.js';
import { ifMatchOf } from './add-etags.js';
import { connectionParams } from './connection-schemas.js';
import { createGuardAccount, type GuardAccount } from './guard-account.js';

interface ByName {
  readonly Params: Omit<AccountName, 'account'>;
  readonly Querystring: Pick<AccountName, 'account'>;
}

const nameOf = ({ params, query }: FastifyRequest<ByName>): AccountName => ({ ...params, ...query });

interface ById {
  readonly Params: { readonly id: string };
}

const OF_CONNECTION = '/connections/:connectionName/accounts';
const BY_NAME = `${OF_CONNECTION}/:identifier`;
const BY_ID = '/accounts/:id';

interface Texts {
  readonly operationId: string;
  readonly description: string;
  readonly errors?: readonly DocumentedError[];
}

const about = (summary: string, texts: Texts, schema: object) => ({
  tags: ['accounts'],
  summary,
  ...texts,
  ...schema,
});
const LIST_OF_CONNECTION: Texts = {
  operationId: 'listConnectionAccounts',
  description: 'The accounts are sorted by their identifiers.',
  errors: ['connection_not_found'],
};
const LIST: Texts = {
  operationId: 'listAccounts',
  description: 'The accounts are sorted by their identifiers. Filters can be combined.',
  errors: ['connection_not_found'],
};
const GET_OR_CREATE: Texts = {
  operationId: 'getOrCreateConnectedAccount',
  description:
    'Creates the account if it does not exist. A key or tokens in the body authorize the account, or replace its stored key or tokens.',
  errors: [
    'connection_not_found',
    'connection_not_configured',
    'conflict',
    'upstream_failed',
    'connection_failed',
    'upstream_timeout',
  ],
};
const GET: Texts = {
  operationId: 'getAccount',
  description: 'The `status` of the account says whether the service can call the upstream as this user.',
  errors: ['connection_not_found', 'account_not_found'],
};
const DELETE: Texts = {
  operationId: 'deleteAccount',
  description:
    'Deletes the account and its credentials. If the upstream supports revocation, also revokes the access at the upstream.',
  errors: ['connection_not_found', 'account_not_found', 'conflict'],
};
const REVOKE: Texts = {
  operationId: 'revokeAccount',
  description:
    'Ends the access of the account. If the upstream supports revocation, also revokes the access at the upstream. The account stays and accepts a new link or key.',
  errors: ['connection_not_found', 'account_not_found', 'conflict'],
};
const CREATE_LINK: Texts = {
  operationId: 'getAuthorizationLink',
  description:
    'The user opens the link in a browser and gives consent, or enters a key if the connector uses keys. The link works once, within 30 minutes. The account is created if it does not exist.',
  errors: [
    'connection_not_found',
    'connection_not_configured',
    'application_not_configured',
    'conflict',
    'upstream_failed',
    'connection_failed',
    'upstream_timeout',
  ],
};
const VERIFY: Texts = {
  operationId: 'verifyAccount',
  description:
    'Confirms which user of the application opened its verify URL after consent. For each consent, only one attempt is allowed.',
  errors: ['not_found', 'verification_failed', 'conflict'],
};
const byId = (texts: Texts): Texts => ({ ...texts, operationId: `${texts.operationId}ById` });
const ofName = { params: accountParams, querystring: labelQuery };
const ofId = { params: accountIdParams };
const one = { response: { 200: accountSchema } };
const none = { response: { 204: nothing } };
const revoked = { response: { 200: revokedSchema } };

// Replaces a missing request body with `{}`, so that validation fills in the default of every option.
async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

function addList(app: FastifyInstance, accountList: AccountList): void {
  const list = {
    params: connectionParams,
    querystring: pageQuery(detailFilters),
    response: { 200: pageOf(accountSchema) },
  };
  app.get<{ Params: { connectionName: string }; Querystring: AccountFilter }>(
    OF_CONNECTION,
    { schema: about('List the accounts of a connection', LIST_OF_CONNECTION, list) },
    ({ applicationId, params: { connectionName }, query }) =>
      accountList.list(applicationId, { ...query, connectionName }),
  );
  const all = { querystring: pageQuery(accountFilters), response: { 200: pageOf(accountSchema) } };
  app.get<{ Querystring: AccountFilter }>(
    '/accounts',
    { schema: about('List accounts of all connections', LIST, all) },
    ({ applicationId, query }) => accountList.list(applicationId, query),
  );
}

function addGetOrCreate(app: FastifyInstance, accounts: Accounts): void {
  const put = {
    ...ofName,
    isBodyOptional: true,
    body: accountRequestSchema,
    response: { 200: accountSchema, 201: accountSchema },
  };
  app.put<ByName & { Body: AccountRequest }>(
    BY_NAME,
    {
      schema: about('Get or create an account', GET_OR_CREATE, put),
      config: { keyedBy: 'path' },
      preValidation: allowNoBody,
    },
    async (request, reply) => {
      const { applicationId, body } = request;
      const name = nameOf(request);
      const { account, created } = await accounts.getOrCreate(applicationId, name, body, ifMatchOf(request));
      reply.code(created ? 201 : 200);
      return account;
    },
  );
}

function addByName(app: FastifyInstance, accounts: Accounts, guard: GuardAccount): void {
  app.get<ByName>(
    BY_NAME,
    { schema: about('Get an account', GET, { ...ofName, ...one }), config: { takesNarrowed: true } },
    async (request) => {
      const name = nameOf(request);
      guard.checkName(request, name);
      return guard.checkAccount(request, await accounts.get(request.applicationId, name));
    },
  );
  app.delete<ByName>(
    BY_NAME,
    { schema: about('Delete an account', DELETE, { ...ofName, ...none }) },
    async (request, reply) => {
      await accounts.delete(request.applicationId, nameOf(request));
      return reply.code(204).send();
    },
  );
}

function addById(app: FastifyInstance, accounts: Accounts, guard: GuardAccount): void {
  app.get<ById>(
    BY_ID,
    {
      schema: about('Get an account by its id', byId(GET), { ...ofId, ...one }),
      config: { takesNarrowed: true },
    },
    async (request) =>
      guard.checkAccount(request, await accounts.getById(request.applicationId, request.params.id)),
  );
  app.delete<ById>(
    BY_ID,
    { schema: about('Delete an account by its id', byId(DELETE), { ...ofId, ...none }) },
    async ({ applicationId, params: { id } }, reply) => {
      await accounts.deleteById(applicationId, id);
      return reply.code(204).send();
    },
  );
}

function addRevocation(app: FastifyInstance, accounts: Accounts): void {
  app.post<ByName>(
    `${BY_NAME}/revoke`,
    {
      schema: about('Revoke the access of an account', REVOKE, { ...ofName, ...revoked }),
      config: { keyedBy: 'account' },
    },
    (request) => accounts.revoke(request.applicationId, nameOf(request)),
  );
  app.post<ById>(
    `${BY_ID}/revoke`,
    {
      schema: about('Revoke the access of an account by its id', byId(REVOKE), { ...ofId, ...revoked }),
      config: { keyedBy: 'account' },
    },
    ({ applicationId, params: { id } }) => accounts.revokeById(applicationId, id),
  );
}

function refuseReplacing({ bearer, body }: FastifyRequest<{ Body: LinkOptions }>): void {
  if (bearer?.token === undefined || !body.replace) return;
  throw new ServiceError(
    'not_permitted',
    'Only the application itself may set `replace`. Create the link with an access token from POST /oauth/token, not with an account token or agent token.',
  );
}

function addLink(app: FastifyInstance, links: AccountRoutesParts['links'], guard: GuardAccount): void {
  const post = { ...ofName, isBodyOptional: true, body: linkOptionsSchema, response: { 200: linkSchema } };
  app.post<ByName & { Body: LinkOptions }>(
    `${BY_NAME}/authorization-link`,
    {
      schema: about('Create an authorization link', CREATE_LINK, post),
      config: { keyedBy: 'path', takesNarrowed: true },
      preValidation: allowNoBody,
    },
    async (request) => {
      const name = nameOf(request);
      refuseReplacing(request);
      await guard.checkNewOrExisting(request, name);
      return links.create(request.applicationId, name, request.body);
    },
  );
}

interface AccountRoutesParts {
  readonly accountList: AccountList;
  readonly accounts: Accounts;
  readonly links: Pick<AuthorizationLinks, 'create'>;
  readonly tokenUses: TokenUses;
}

/** Adds routes that manage the connected accounts of an application. A hook of `app` must authenticate requests. */
export function addAccountRoutes(
  app: FastifyInstance,
  { accountList, accounts, links, tokenUses }: AccountRoutesParts,
): void {
  const guard = createGuardAccount({ accounts, tokenUses });
  addList(app, accountList);
  addGetOrCreate(app, accounts);
  addByName(app, accounts, guard);
  addById(app, accounts, guard);
  addRevocation(app, accounts);
  addLink(app, links, guard);
}

/**
 * Adds the route with which an application verifies a user after consent. It needs the application's own credentials. A
 * hook of `app` must authenticate requests.
 */
export function addVerificationRoute(
  app: FastifyInstance,
  { verifyConsent }: { readonly verifyConsent: VerifyConsent },
): void {
  const post = { body: verificationSchema, response: { 200: verifiedSchema } };
  app.post<{ Body: Verification }>(
    '/accounts/verify',
    {
      schema: about('Verify the user of a consent', VERIFY, post),
      config: { keyedBy: 'response' },
      bodyLimit: SMALL_BODY,
    },
    ({ applicationId, body }) => verifyConsent(applicationId, body),
  );
}
