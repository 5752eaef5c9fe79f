import type { SwaggerTransformObject } from '@fastify/swagger';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { ERROR_STATUS } from '../errors.js';
import { compileNothing } from './compilers.js';

export interface OpenApiOptions {
  readonly environmentUrl: string;
  readonly version: string;
}

const text = { type: 'string' as const };
const object = 'object' as const;

const errorSchema = {
  type: object,
  required: ['error'],
  properties: {
    error: {
      type: object,
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { ...text, enum: Object.keys(ERROR_STATUS) },
        message: { ...text, description: 'What happened and what to do.' },
        details: { type: object, additionalProperties: true, description: 'Facts to act on, by code.' },
        requestId: text,
      },
    },
  },
};

const errorAnswer = {
  description:
    "An error of the service itself: the header svc-error has its code, and no upstream's answer has it.",
  headers: { 'svc-error': { schema: text } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Adds the answer that all operations of an application have in common, where they say nothing else. */
const addErrorAnswer: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const path of Object.values(openapiObject.paths ?? {})) {
    for (const method of METHODS) {
      const operation = path?.[method];
      const isPublic = operation?.security?.length === 0;
      if (operation?.responses && !isPublic) operation.responses['default'] ??= errorAnswer;
    }
  }
  return openapiObject;
};

const documentOptions = ({ environmentUrl, version }: OpenApiOptions) => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Agent connector service',
      version,
      description: 'Authorization, connected accounts, proxy and tools. Errors carry the header svc-error.',
    },
    servers: [{ url: environmentUrl }],
    components: {
      securitySchemes: { accessToken: { type: 'http' as const, scheme: 'bearer' } },
      schemas: { Error: errorSchema },
    },
    security: [{ accessToken: [] }],
  },
  transformObject: addErrorAnswer,
});

const nothing = () => undefined;
/** What the routes are described by is loaded when somebody asks, and is given a server of its own that answers nobody. */
async function describe(routes: readonly RouteOptions[], options: OpenApiOptions): Promise<Buffer> {
  const { default: swagger } = await import('@fastify/swagger');
  const described = fastify({ schemaController: compileNothing(), exposeHeadRoutes: false });
  await described.register(swagger, documentOptions(options));
  described.register(async (own) => {
    for (const { method, url, schema, config } of routes)
      own.route({ method, url, handler: nothing, ...(schema && { schema }), ...(config && { config }) });
  });
  await described.ready();
  const document = Buffer.from(JSON.stringify(described.swagger()));
  await described.close();
  return document;
}

/** Describes the routes that are registered later, at GET /openapi.json. */
export function addOpenApi(app: FastifyInstance, options: OpenApiOptions): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Everybody may ask, so it is written out once and every caller gets the same bytes.
  let document: Promise<Buffer> | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= describe(routes, options);
    return reply.type('application/json; charset=utf-8').send(await document);
  });
}
