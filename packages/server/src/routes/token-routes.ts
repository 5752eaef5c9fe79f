import type { Catalog } from '@svc/catalog';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../errors.js';
import type { PageRequest } from '../page.js';
import type { NarrowedTokens, TokenInput } from '../tokens/narrowed-tokens.js';
import { closed, pageOf, pageQuery } from './list-schema.js';
import { issuedSchema, listedSchema, tokenId, wishSchema } from './token-schemas.js';

export interface TokenRoutesParts {
  readonly narrowedTokens: NarrowedTokens;
}

export interface IssueTokenRoutesParts extends TokenRoutesParts {
  readonly catalog: Pick<Catalog, 'tools'>;
}

// As many as a reader wants to see.
const MOST_SHOWN = 3;

/** A misspelled name would limit nothing: the tool that was meant would run without its limit, and without being asked about. */
function checkTools(
  { tools: known }: Pick<Catalog, 'tools'>,
  { tools = [], arguments: limited = {}, approve }: TokenInput,
): void {
  const named = [...tools, ...Object.keys(limited), ...(Array.isArray(approve) ? approve : [])];
  const unknown = named.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MOST_SHOWN).map((name) => JSON.stringify(name));
  throw new ServiceError(
    'invalid_request',
    `The limits of the token name what is no tool: ${shown.join(', ')}. GET /v1/tools lists those that exist.`,
  );
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
  { narrowedTokens, catalog }: IssueTokenRoutesParts,
  { kind, path, ...of }: Kind,
): void {
  app.post<{ Body: TokenInput }>(
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
      checkTools(catalog, body);
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
  (parts: IssueTokenRoutesParts): FastifyPluginAsync =>
  async (app) => {
    for (const kind of KINDS) addIssue(app, parts, kind);
  };

/** Tokens that were made, and their end. Requests must be authenticated by a hook of `app`. */
export const tokenRoutes =
  (parts: TokenRoutesParts): FastifyPluginAsync =>
  async (app) => {
    for (const kind of KINDS) addListed(app, parts, kind);
  };
