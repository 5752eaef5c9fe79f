import type { FastifyInstance } from 'fastify';
import { type DocumentedRoute, describeOperations } from './describe-operation.js';
import { type DocumentName, documentOf, frameOf, type ServiceFacts } from './open-api-documents.js';
import { createComponents } from './open-api-schemas.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Creates the OpenAPI document for applications or for operators, as JSON. */
    readonly describeRoutes: (document: DocumentName) => Buffer;
    /** Adds operations to the OpenAPI document that no Fastify route handles, such as those of the MCP server. */
    readonly documentRoutes: (routes: readonly DocumentedRoute[]) => void;
  }
  interface FastifyContextConfig {
    /**
     * URL and schema of the route in the OpenAPI document. Set only if they differ from those of the registered route.
     */
    readonly documented?: Pick<DocumentedRoute, 'url' | 'schema'>;
  }
}

const pathOf = (url: string): string => url.replace(/:(\w+)/g, '{$1}');

function describe(routes: readonly DocumentedRoute[], name: DocumentName, facts: ServiceFacts): Buffer {
  const components = createComponents();
  const paths: Record<string, Record<string, object>> = {};
  for (const registered of routes) {
    const route = { ...registered, ...registered.config?.documented };
    const path = pathOf(route.url);
    for (const { method, operation } of describeOperations(route, name, components))
      paths[path] = { ...paths[path], [method]: operation };
  }
  return Buffer.from(JSON.stringify({ ...frameOf(name, facts, components), paths }));
}

/**
 * Collects the routes that are registered after this call and describes them in OpenAPI documents. GET /openapi.json
 * serves the document for applications, without authentication.
 */
export function addOpenApi(app: FastifyInstance, facts: ServiceFacts): void {
  const routes: DocumentedRoute[] = [];
  // Stores the route object itself. Its schema is read when the OpenAPI document is created, because later hooks extend
  // the schema.
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Caches each document as bytes, because all callers get the same ones.
  const documents = new Map<DocumentName, Buffer>();
  app.decorate('documentRoutes', (others) => {
    routes.push(...others);
  });
  app.decorate('describeRoutes', (name) => {
    const known = documents.get(name);
    if (known) return known;
    const described = routes.filter(({ schema, url }) => !schema?.hide && documentOf(url) === name);
    const document = describe(described, name, facts);
    documents.set(name, document);
    return document;
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(app.describeRoutes('applications')),
  );
}
