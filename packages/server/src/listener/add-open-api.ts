import type { SwaggerTransformObject } from '@fastify/swagger';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { compileNothing } from './compilers.js';
import { type DocumentName, documentOf, frameOf, type ServiceFacts } from './open-api-documents.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Writes the OpenAPI document of one group of routes. */
    readonly describeRoutes: (document: DocumentName) => Promise<Buffer>;
  }
}

const errorResponse = {
  description:
    "An error of the service itself: the header svc-error has its code, and no upstream's answer has it.",
  headers: { 'svc-error': { schema: { type: 'string' as const } } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const ROOTS = /^\/(?:operator\/)?v1(?=\/)/;

const toName = (text: string): string =>
  text
    .split(/[-_.]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

// "access" is no plural, and neither is a word in "us".
const isPlural = (word: string): boolean => /[^su]s$/.test(word);

const isParameter = (segment: string | undefined): segment is string => segment?.startsWith('{') ?? false;

/**
 * Names an operation for generated clients, by its method and path alone, so that the name stays: `getConnections`,
 * `getConnection`, `deleteConnectionAccount`.
 */
export function operationId(method: string, path: string): string {
  const segments = path.replace(ROOTS, '').split('/').slice(1);
  let id = method;
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1] ?? '';
    if (!isParameter(segment)) id += toName(segment);
    else if (isPlural(before)) id = id.slice(0, -1);
    else id += `By${toName(segment.slice(1, -1))}`;
  }
  return id;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/** Adds the id of each operation, and the error response where the operation has no other default. */
const complete: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const [url, path] of Object.entries(openapiObject.paths ?? {})) {
    for (const method of METHODS) {
      const operation = path?.[method];
      if (path === undefined || operation === undefined) continue;
      // A response to HEAD has no body for an error.
      if (operation.responses && method !== 'head') operation.responses['default'] ??= errorResponse;
      // A copy, because the methods of one route share one object.
      path[method] = { ...operation, operationId: operationId(method, url) };
    }
  }
  return openapiObject;
};

const nothing = () => undefined;

/** Describes routes with a server of its own that answers no request. Loads @fastify/swagger, when a client asks for the document. */
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

/** Describes routes that are registered later. GET /openapi.json serves the document of applications to everybody. */
export function addOpenApi(app: FastifyInstance, facts: ServiceFacts): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Each document is written once, because every caller gets the same bytes.
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
