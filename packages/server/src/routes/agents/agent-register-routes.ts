import type { FastifyInstance } from 'fastify';
import type { Origins } from '../../applications/origins.js';
import { ServiceError } from '../../errors.js';
import type { Registrations } from '../../grants/registrations.js';
import { SMALL_BODY } from '../../listener/body-limits.js';
import { addJsonBody } from '../json-body.js';
import { sendTokenError } from '../oauth-token-routes.js';
import { requireOwnOrigin } from './own-origin.js';

/** Adds dynamic registration of MCP clients (RFC 7591), for applications that allow it. */
export function addAgentRegisterRoute(
  app: FastifyInstance,
  {
    registrations,
    origins,
  }: { readonly registrations: Pick<Registrations, 'register'>; readonly origins: Pick<Origins, 'checkOf'> },
): void {
  app.register(async (scope) => {
    scope.setErrorHandler(sendTokenError);
    requireOwnOrigin(scope, { origins });
    addJsonBody(scope);
    scope.post<{ Params: { readonly applicationId: string }; Body: unknown }>(
      '/agents/:applicationId/register',
      { schema: { hide: true }, bodyLimit: SMALL_BODY },
      async ({ params, body }, reply) => {
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new ServiceError(
            'invalid_request',
            'The body is not a JSON object. Send the metadata of the client as a JSON object.',
            {
              oauthError: 'invalid_client_metadata',
            },
          );
        const registered = await registrations.register(params.applicationId, { ...body });
        return reply.code(201).header('cache-control', 'no-store').send(registered);
      },
    );
  });
}
