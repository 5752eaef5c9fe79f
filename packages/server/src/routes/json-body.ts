import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseInTurn } from '../front/parse-in-turn.js';
import { JSON_BODY, limitBodies } from '../listener/body-limits.js';

/** Makes the routes of `app` accept only JSON bodies. An empty body is parsed as `undefined`. */
export function addJsonBody(app: FastifyInstance): void {
  limitBodies(app, JSON_BODY);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ applicationId, address, raw }: FastifyRequest, body: Buffer) =>
      body.length === 0
        ? undefined
        : parseInTurn(body, { owner: applicationId || address, isGone: () => raw.socket.destroyed }),
  );
}
