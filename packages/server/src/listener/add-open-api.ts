import type { SwaggerTransformObject } from '@fastify/swagger';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { compileNothing } from './compilers.js';
import { type DocumentName, documentOf, frameOf, type ServiceFacts } from './open-api-documents.js';
import { operationId } from './operation-id.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of these routes. */
    readonly describeRoutes: (document: DocumentName) => Promise<Buffer>;
  }
}

const errorAnswer = {
  description:
    "An error of the service itself: the header svc-error has its code, and no upstream's answer has it.",
  headers: { 'svc-error': { schema: { type: 'string' as const } } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/** Adds the names of all operations, and the answer that they have in common, where they say nothing else. */
const complete: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const [url, path] of Object.entries(openapiObject.paths ?? {})) {
    for (const method of METHODS) {
      const operation = path?.[method];
      if (path === undefined || operation === undefined) continue;
      // An answer to HEAD has no body that could say anything.
      if (operation.responses && method !== 'head') operation.responses['default'] ??= errorAnswer;
      // A copy, because the methods of one route share theirs.
      path[method] = { ...operation, operationId: operationId(method, url) };
    }
  }
  return openapiObject;
};

const nothing = () => undefined;
/** What the routes are described by is loaded when somebody asks, and is given a server of its own that answers nobody. */
async function describe(
  routes: readonly RouteOptions[],
  openapi: ReturnType<typeof frameOf>,
): Promise<Buffer> {
  const { default: swagger } = await import('@fastify/swagger');
  const described = fastify({ schemaController: compileNothing(), exposeHeadRoutes: false });
  await described.register(swagger, { openapi, transformObject: complete });
  described.register(async (own) => {
    for (const { method, url, schema, config } of routes)
      own.route({ method, url, handler: nothing, ...(schema && { schema }), ...(config && { config }) });
  });
  await described.ready();
  const document = Buffer.from(JSON.stringify(described.swagger()));
  await described.close();
  return document;
}

/** Describes the routes that are registered later: those of applications, for everybody, at GET /openapi.json. */
export function addOpenApi(app: FastifyInstance, facts: ServiceFacts): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Written out once: every caller gets the same bytes.
  const documents = new Map<DocumentName, Promise<Buffer>>();
  app.decorate('describeRoutes', (name) => {
    const known = documents.get(name);
    if (known) return known;
    const described = routes.filter(({ url }) => documentOf(url) === name);
    const document = describe(described, frameOf(name, facts));
    documents.set(name, document);
    return document;
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await app.describeRoutes('applications')),
  );
}
