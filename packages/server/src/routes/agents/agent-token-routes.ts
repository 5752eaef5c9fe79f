import type { FastifyInstance } from 'fastify';
import type { Origins } from '../../applications/origins.js';
import { ServiceError } from '../../errors.js';
import type { AgentGrants } from '../../grants/agent-grants.js';
import { EXCHANGE_GRANT, type ExchangeToken } from '../../grants/exchange-token.js';
import type { Parameters } from '../../grants/read-request.js';
import { takeForms } from '../form.js';
import { sendTokenError } from '../oauth-token-routes.js';
import { requireOwnOrigin } from './own-origin.js';

interface FormRoute {
  readonly Params: { readonly applicationId: string };
  readonly Body: Parameters | undefined;
}

const hidden = { hide: true };

interface AgentTokenParts {
  readonly agentGrants: Pick<AgentGrants, 'exchange' | 'refresh' | 'giveUp'>;
  readonly exchangeToken: ExchangeToken;
  readonly origins: Pick<Origins, 'checkOf'>;
}

/** Adds the OAuth token endpoint and revocation endpoint for MCP clients. */
export function addAgentTokenRoutes(
  app: FastifyInstance,
  { agentGrants, exchangeToken, origins }: AgentTokenParts,
): void {
  app.register(async (scope) => {
    scope.setErrorHandler(sendTokenError);
    requireOwnOrigin(scope, { origins });
    takeForms(scope);
    const GRANTS: Readonly<Record<string, AgentGrants['exchange'] | ExchangeToken>> = {
      authorization_code: agentGrants.exchange,
      refresh_token: agentGrants.refresh,
      [EXCHANGE_GRANT]: exchangeToken,
    };

    scope.post<FormRoute>('/agents/:applicationId/token', { schema: hidden }, async (request, reply) => {
      const form = request.body ?? {};
      const grantType = form['grant_type'] ?? '';
      if (!Object.hasOwn(GRANTS, grantType))
        throw new ServiceError(
          'invalid_request',
          `${grantType === '' ? 'The body has no "grant_type"' : 'This "grant_type" is not supported'}. Send one of ${Object.keys(GRANTS).join(', ')}.`,
          {
            oauthError: 'unsupported_grant_type',
          },
        );
      const tokens = await GRANTS[grantType]?.(request.params.applicationId, form);
      return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(tokens);
    });

    scope.post<FormRoute>('/agents/:applicationId/revoke', { schema: hidden }, async (request, reply) => {
      await agentGrants.giveUp(request.params.applicationId, request.body ?? {});
      return reply.header('cache-control', 'no-store').send({});
    });
  });
}
