import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Applications } from '../applications/applications.js';
import { closed, type Schema } from './list-schema.js';

/** Where routes of an application stand for operators, below the operators' own. */
export const INSIDE_APPLICATION = '/applications/:applicationId';

interface InsideParts {
  readonly applications: Pick<Applications, 'get'>;
}

const applicationId = { type: 'string', minLength: 1, maxLength: 256 };

interface Params {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * Makes the routes of `app` work for the application that their prefix names, whoever calls them: what an application may do,
 * an operator does for it. Requests must be those of an operator by a hook of `app`.
 */
export function addInsideApplication(app: FastifyInstance, { applications }: InsideParts): void {
  app.addHook('onRoute', (route) => {
    // Ours are all closed objects of list-schema.ts.
    const { properties = {} } = (route.schema?.params ?? {}) as Params;
    route.schema = { ...route.schema, params: closed({ applicationId, ...properties }) };
  });
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const params = request.params as { readonly applicationId: string };
    request.applicationId = (await applications.get(params.applicationId)).id;
  });
}
