import type { FastifyInstance, FastifySchema } from 'fastify';
import { ServiceError } from '../errors.js';
import { belongingTo, closed, pageOf, pageQuery, timeOrder } from '../listener/list-schema.js';
import type { CheckTokenNames } from '../tokens/check-token-names.js';
import type { NarrowedTokens, TokenFilter, TokenInput } from '../tokens/narrowed-tokens.js';
import { issuedSchema, listedSchema, tokenId, tokenRequestSchema } from './token-schemas.js';

/** Maximum lifetime of an API token in seconds: one year. */
const MAX_LIFE_SECONDS = 365 * 86_400;

/**
 * Kinds of narrowed tokens (API tokens with limits). Tokens for browsers last 10 minutes by default, because a web page
 * leaks them easily. The request can ask for more.
 */
const KINDS = [
  {
    kind: 'account',
    names: { create: 'accountToken', list: 'listAccountTokens', revoke: 'revokeAccountToken' },
    path: '/account-tokens',
    idName: 'accountTokenId',
    holder: 'a browser or another public caller',
    requestSchema: tokenRequestSchema('AccountTokenRequest', { default: 600, maximum: MAX_LIFE_SECONDS }, []),
  },
  {
    kind: 'agent',
    names: { create: 'agentToken', list: 'listAgentTokens', revoke: 'revokeAgentToken' },
    path: '/agent-tokens',
    idName: 'agentTokenId',
    holder: 'an agent',
    requestSchema: tokenRequestSchema('AgentTokenRequest', { maximum: MAX_LIFE_SECONDS }, ['expiresIn']),
  },
] as const;

const { identifier } = belongingTo('tokens');

const about = (summary: string, schema: FastifySchema) => ({
  schema: { tags: ['tokens'], summary, ...schema },
});

/**
 * Adds the routes that issue narrowed tokens (API tokens with limits). Only the application itself may call them. A
 * hook of `app` must authenticate requests.
 */
export function addIssueTokenRoutes(
  app: FastifyInstance,
  {
    narrowedTokens,
    checkTokenNames,
  }: { readonly narrowedTokens: NarrowedTokens; readonly checkTokenNames: CheckTokenNames },
): void {
  for (const { kind, names, path, holder, requestSchema } of KINDS) {
    app.post<{ Body: TokenInput }>(
      path,
      {
        ...about(`Create an ${kind} token`, {
          operationId: names.create,
          description: `The token is for ${holder}. It acts for one user and within the given limits. Only the application itself can create such a token.`,
          body: requestSchema,
          response: { 201: issuedSchema },
        }),
        config: { keyedBy: 'tokenId' },
      },
      async ({ bearer, body }, reply) => {
        const { applicationId, clientSecretId } = bearer ?? {};
        if (applicationId === undefined || clientSecretId === undefined)
          throw new ServiceError(
            'unauthorized',
            'Only applications can create tokens. Use an access token of the application from POST /oauth/token.',
          );
        await checkTokenNames(applicationId, body);
        reply.code(201);
        return narrowedTokens.issue({ applicationId, clientSecretId }, kind, body);
      },
    );
  }
}

/**
 * Adds the routes that list and revoke narrowed tokens (API tokens with limits). A hook of `app` must authenticate
 * requests.
 */
export function addTokenRoutes(
  app: FastifyInstance,
  { narrowedTokens }: { readonly narrowedTokens: NarrowedTokens },
): void {
  for (const { kind, names, path, idName } of KINDS) {
    app.get<{ Querystring: TokenFilter }>(
      path,
      about(`List the ${kind} tokens`, {
        operationId: names.list,
        description: 'Lists the tokens, newest first, without their values.',
        querystring: pageQuery({ identifier, order: timeOrder('tokens') }),
        response: { 200: pageOf(listedSchema) },
      }),
      ({ applicationId, query }) => narrowedTokens.list(applicationId, kind, query),
    );
    app.delete<{ Params: Readonly<Record<string, string>> }>(
      `${path}/:${idName}`,
      about(`Revoke an ${kind} token`, {
        operationId: names.revoke,
        description: 'Revokes the token and all tokens that are derived from it.',
        errors: ['not_found'],
        params: closed({ [idName]: tokenId }),
        response: { 204: { type: 'null' } },
      }),
      async ({ applicationId, params }, reply) => {
        await narrowedTokens.revoke(applicationId, kind, params[idName] ?? '');
        return reply.code(204).send();
      },
    );
  }
}
