import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Applications } from '../applications/applications.js';
import { closed, type Schema } from './list-schema.js';

/** Path of the routes of one application, below the path of the operator routes. */
export const INSIDE_APPLICATION = '/applications/:applicationId';

const applicationId = { type: 'string', minLength: 1, maxLength: 256 };

interface Params {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * Makes the routes of `app` work on the application that the URL names, so that operators can do what an application can.
 * A hook of `app` must authenticate operators.
 */
export function addInsideApplication(
  app: FastifyInstance,
  { applications }: { readonly applications: Pick<Applications, 'get'> },
): void {
  app.addHook('onRoute', (route) => {
    // All params schemas of the service are closed objects (list-schema.ts).
    const { properties = {} } = (route.schema?.params ?? {}) as Params;
    route.schema = { ...route.schema, params: closed({ applicationId, ...properties }) };
  });
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const params = request.params as { readonly applicationId: string };
    request.applicationId = (await applications.get(params.applicationId)).id;
  });
}
