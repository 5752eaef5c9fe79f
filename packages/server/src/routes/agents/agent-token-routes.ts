import type { FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { AgentGrants } from '../../grants/agent-grants.js';
import { EXCHANGE_GRANT, type ExchangeToken } from '../../grants/exchange-token.js';
import type { Parameters } from '../../grants/read-request.js';
import { takeForms } from '../form.js';
import { tokenError } from '../oauth-token-routes.js';
import { type OwnOriginParts, requireOwnOrigin } from './own-origin.js';

export interface AgentTokenParts extends OwnOriginParts {
  readonly agentGrants: Pick<AgentGrants, 'exchange' | 'refresh' | 'giveUp'>;
  readonly exchangeToken: ExchangeToken;
}

interface FormRoute {
  readonly Params: { readonly applicationId: string };
  readonly Body: Parameters | undefined;
}

const hidden = { hide: true };

/** Where MCP clients change codes and refresh tokens into tokens, and give them up. */
export const agentTokenRoutes =
  ({ agentGrants, exchangeToken, origins }: AgentTokenParts): FastifyPluginAsync =>
  async (app) => {
    app.setErrorHandler(tokenError);
    requireOwnOrigin(app, { origins });
    takeForms(app);
    const GRANTS: Readonly<Record<string, AgentGrants['exchange'] | ExchangeToken>> = {
      authorization_code: agentGrants.exchange,
      refresh_token: agentGrants.refresh,
      [EXCHANGE_GRANT]: exchangeToken,
    };

    app.post<FormRoute>('/agents/:applicationId/token', { schema: hidden }, async (request, reply) => {
      const form = request.body ?? {};
      const grantType = form['grant_type'] ?? '';
      if (!Object.hasOwn(GRANTS, grantType))
        throw new ServiceError('invalid_request', `The grant_type is ${Object.keys(GRANTS).join(', ')}.`, {
          oauthError: 'unsupported_grant_type',
        });
      const tokens = await GRANTS[grantType]?.(request.params.applicationId, form);
      return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(tokens);
    });

    app.post<FormRoute>('/agents/:applicationId/revoke', { schema: hidden }, async (request, reply) => {
      await agentGrants.giveUp(request.params.applicationId, request.body ?? {});
      return reply.header('cache-control', 'no-store').send({});
    });
  };
