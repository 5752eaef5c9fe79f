import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ChargeApplication, parseQueued } from '../front/parse-queued.js';
import { JSON_BODY, limitBodies } from '../listener/body-limits.js';

/**
 * Makes the routes of `app` accept only JSON bodies. An empty body is parsed as `undefined`. `charge` subtracts calls
 * from the rate limit of the application that sends a large body.
 */
export function addJsonBody(
  app: FastifyInstance,
  { charge }: { readonly charge?: ChargeApplication } = {},
): void {
  limitBodies(app, JSON_BODY);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ applicationId, address, raw }: FastifyRequest, body: Buffer) =>
      body.length === 0
        ? undefined
        : parseQueued(body, {
            owner: applicationId || address,
            isDisconnected: () => raw.socket.destroyed,
            charge,
          }),
  );
}
