import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from '../../applications/origins.js';
import { readableBy } from '../../front/allow-origin.js';

export interface OwnOriginParts {
  readonly origins: Pick<Origins, 'checkOf'>;
}

/**
 * Answers pages of the application's own origins and refuses others: a token that a page could not use at /mcp is nothing for it
 * to ask for. The origin of a redirect URI would do for nobody else, because clients choose theirs when they register.
 */
export function requireOwnOrigin(app: FastifyInstance, { origins }: OwnOriginParts): void {
  app.addHook('onRequest', async ({ headers: { origin }, params }: FastifyRequest, reply: FastifyReply) => {
    if (origin === undefined) return;
    // Every route of it has it.
    const { applicationId } = params as { readonly applicationId: string };
    await origins.checkOf(applicationId, origin);
    reply.headers(readableBy(origin));
  });
}
