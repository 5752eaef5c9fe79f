import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../errors.js';
import type { PageRequest } from '../page.js';
import type { NarrowedTokens, TokenWish } from '../tenants/narrowed-tokens.js';
import { closed, pageOf, pageQuery } from './list-schema.js';
import { issuedSchema, listedSchema, tokenId, wishSchema } from './token-schemas.js';

export interface TokenRoutesParts {
  readonly narrowedTokens: NarrowedTokens;
}

/** A year, in seconds. */
const LONGEST = 365 * 86_400;

/** Minutes for browsers, because what is in a page is easily taken; longer where somebody says so. */
const KINDS = [
  {
    kind: 'account',
    path: '/account-tokens',
    id: 'accountTokenId',
    holder: 'a browser or another public caller',
    wish: wishSchema({ default: 600, maximum: LONGEST }, []),
  },
  {
    kind: 'agent',
    path: '/agent-tokens',
    id: 'agentTokenId',
    holder: 'an agent',
    wish: wishSchema({ maximum: LONGEST }, ['expiresIn']),
  },
] as const;

type Kind = (typeof KINDS)[number];

const about = (summary: string, schema: object) => ({ schema: { tags: ['tokens'], summary, ...schema } });

function addIssue(
  app: FastifyInstance,
  { narrowedTokens }: TokenRoutesParts,
  { kind, path, ...of }: Kind,
): void {
  app.post<{ Body: TokenWish }>(
    path,
    {
      ...about(`Make a token for ${of.holder}, for one user and what else is said`, {
        body: of.wish,
        response: { 201: issuedSchema },
      }),
      config: { keyedBy: 'tokenId' },
    },
    async ({ bearer, body }, reply) => {
      // The hook before this lets nobody else through.
      const { applicationId, clientSecretId } = bearer ?? {};
      if (applicationId === undefined || clientSecretId === undefined)
        throw new ServiceError('unauthorized', 'Only applications make tokens.');
      reply.code(201);
      return narrowedTokens.issue({ applicationId, clientSecretId }, kind, body);
    },
  );
}

function addListed(
  app: FastifyInstance,
  { narrowedTokens }: TokenRoutesParts,
  { kind, path, ...of }: Kind,
): void {
  app.get<{ Querystring: PageRequest }>(
    path,
    about(`List the tokens for ${of.holder}, newest first, without the tokens themselves`, {
      querystring: pageQuery(),
      response: { 200: pageOf(listedSchema) },
    }),
    ({ applicationId, query }) => narrowedTokens.list(applicationId, kind, query),
  );
  app.delete<{ Params: Readonly<Record<string, string>> }>(
    `${path}/:${of.id}`,
    about(`Revoke a token for ${of.holder}, and all that were made from it`, {
      params: closed({ [of.id]: tokenId }),
      response: { 204: { type: 'null' } },
    }),
    async ({ applicationId, params }, reply) => {
      await narrowedTokens.revoke(applicationId, kind, params[of.id] ?? '');
      return reply.code(204).send();
    },
  );
}

/** Making of tokens, which the application alone does. Requests must be authenticated by a hook of `app`. */
export const issueTokenRoutes =
  (parts: TokenRoutesParts): FastifyPluginAsync =>
  async (app) => {
    for (const kind of KINDS) addIssue(app, parts, kind);
  };

/** Tokens that were made, and their end. Requests must be authenticated by a hook of `app`. */
export const tokenRoutes =
  (parts: TokenRoutesParts): FastifyPluginAsync =>
  async (app) => {
    for (const kind of KINDS) addListed(app, parts, kind);
  };
