import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { closed } from '../listener/list-schema.js';
import { hasPlainText } from '../text/plain-text.js';

async function checkRequest({ query, body, routeOptions }: FastifyRequest): Promise<void> {
  if (!hasPlainText(query))
    throw new ServiceError('invalid_request', 'The query contains a NUL character. Remove it.');
  if (body === undefined || routeOptions.schema?.body !== undefined) return;
  throw new ServiceError('invalid_request', 'This operation accepts no body. Send the request without one.');
}

// Throws invalid_request for a query number that is too large, such as "1e400", which is parsed as Infinity. The
// validator would accept Infinity as an integer within any limits.
async function checkNumbers({ query }: FastifyRequest): Promise<void> {
  const large = Object.entries(query ?? {}).find(
    ([, value]) => typeof value === 'number' && !Number.isFinite(value),
  );
  if (large === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `The number "${large[0]}" in the query is too large. Send a smaller number.`,
  );
}

/**
 * Makes the routes of `app` refuse undeclared parameters, undeclared bodies, and text that the database cannot store
 * (rule A11 in security-rules.md).
 */
export function addStrictRequests(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: closed({}), ...route.schema };
  });
  app.addHook('preValidation', checkRequest);
  app.addHook('preHandler', checkNumbers);
}
