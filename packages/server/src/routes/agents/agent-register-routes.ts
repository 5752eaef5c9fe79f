import type { FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { Registrations } from '../../grants/registrations.js';
import { SMALL_BODY } from '../../listener/body-limits.js';
import { addJsonBody } from '../json-body.js';
import { tokenError } from '../oauth-token-routes.js';
import { type OwnOriginParts, requireOwnOrigin } from './own-origin.js';

export interface AgentRegisterParts extends OwnOriginParts {
  readonly registrations: Pick<Registrations, 'register'>;
}

/** Where MCP clients register themselves (RFC 7591), at applications that let them. */
export const agentRegisterRoutes =
  ({ registrations, origins }: AgentRegisterParts): FastifyPluginAsync =>
  async (app) => {
    app.setErrorHandler(tokenError);
    requireOwnOrigin(app, { origins });
    addJsonBody(app);
    app.post<{ Params: { readonly applicationId: string }; Body: unknown }>(
      '/agents/:applicationId/register',
      { schema: { hide: true }, bodyLimit: SMALL_BODY },
      async ({ params, body }, reply) => {
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new ServiceError('invalid_request', 'Send the metadata of the client as a JSON object.', {
            oauthError: 'invalid_client_metadata',
          });
        const registered = await registrations.register(params.applicationId, { ...body });
        return reply.code(201).header('cache-control', 'no-store').send(registered);
      },
    );
  };
