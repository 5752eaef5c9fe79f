import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Applications } from '../applications/applications.js';
import { closed, type Schema } from '../listener/list-schema.js';

/** Path prefix for routes of one application, relative to the path of the operator API. */
export const INSIDE_APPLICATION = '/applications/:applicationId';

const applicationId = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  description: 'Id of the application.',
};

interface Params {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * Makes the routes of `app` act for the application that the URL names, so that operators can do what the application
 * can. A hook of `app` must authenticate operators.
 */
export function addInsideApplication(
  app: FastifyInstance,
  { applications }: { readonly applications: Pick<Applications, 'get'> },
): void {
  app.addHook('onRoute', (route) => {
    // Adds `applicationId` to the schema of the path parameters, because the schemas of the service forbid undeclared
    // properties (list-schema.ts).
    const { properties = {} } = (route.schema?.params ?? {}) as Params;
    route.schema = { ...route.schema, params: closed({ applicationId, ...properties }) };
  });
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const params = request.params as { readonly applicationId: string };
    request.applicationId = (await applications.get(params.applicationId)).id;
  });
}
