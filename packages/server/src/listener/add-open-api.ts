import type { SwaggerTransformObject } from '@fastify/swagger';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { compileNothing } from './compilers.js';
import { type DocumentName, documentOf, frameOf, type ServiceFacts } from './open-api-documents.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Creates the OpenAPI document for applications or for operators, as JSON. */
    readonly describeRoutes: (document: DocumentName) => Promise<Buffer>;
  }
}

const errorResponse = {
  description:
    'An error of the service itself. The header svc-error contains its code; a response of the upstream never has this header.',
  headers: { 'svc-error': { schema: { type: 'string' as const } } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const ROOTS = /^\/(?:operator\/)?v1(?=\/)/;

const toName = (text: string): string =>
  text
    .split(/[-_.]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

// Treats a word as plural when it ends in "s", except in "ss" and "us", such as "access" and "status".
const isPlural = (word: string): boolean => /[^su]s$/.test(word);

const isParameter = (segment: string | undefined): segment is string => segment?.startsWith('{') ?? false;

/**
 * Returns the operation id for generated clients, such as `getConnections` or `deleteConnectionAccount`. It depends on
 * the method and the path only, so that it stays stable.
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

/** Adds an operation id to each operation, and the error response as default where the operation defines none. */
const complete: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const [url, path] of Object.entries(openapiObject.paths ?? {})) {
    for (const method of METHODS) {
      const operation = path?.[method];
      if (path === undefined || operation === undefined) continue;
      // Skips HEAD, because its response has no body that could contain an error.
      if (operation.responses && method !== 'head') operation.responses['default'] ??= errorResponse;
      // Copies the operation, because all methods of a route share one object.
      path[method] = { ...operation, operationId: operationId(method, url) };
    }
  }
  return openapiObject;
};

const nothing = () => undefined;

/**
 * Creates the OpenAPI document on a separate Fastify server that never listens. Loads @fastify/swagger only here, when
 * a client requests the document.
 */
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

/**
 * Collects the routes that are registered after this call, for their OpenAPI documents. GET /openapi.json needs no
 * authentication and serves the document for applications.
 */
export function addOpenApi(app: FastifyInstance, facts: ServiceFacts): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Caches each document as bytes, because all callers get the same ones.
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
