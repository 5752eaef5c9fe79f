import type { FastifyContextConfig, FastifySchema, HTTPMethods, RouteOptions } from 'fastify';
import { type DocumentedError, errorResponses, statusOf } from './documented-errors.js';
import type { DocumentName } from './open-api-documents.js';
import { exampleOf } from './open-api-examples.js';
import type { Components, Schema } from './open-api-schemas.js';

declare module 'fastify' {
  interface FastifySchema {
    /** Hides the route from the OpenAPI documents. */
    readonly hide?: boolean;
    /**
     * Name of the operation in generated clients. If the route has several methods, the method is appended, as in
     * `requestGet`.
     */
    readonly operationId?: string;
    readonly tags?: readonly string[];
    readonly summary?: string;
    readonly description?: string;
    /** Content type of the request body. Default: application/json. */
    readonly consumes?: string;
    /** True if the request may omit the body. Default: false. */
    readonly isBodyOptional?: boolean;
    readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
    /** Errors of this operation, beyond those that all operations of its document have. */
    readonly errors?: readonly DocumentedError[];
  }
}

/** Operation of the service that an OpenAPI document describes. */
export interface DocumentedRoute extends Pick<RouteOptions, 'method' | 'url'> {
  readonly schema?: FastifySchema;
  readonly config?: FastifyContextConfig;
}

const OF_EVERY_CALL: readonly DocumentedError[] = [
  'invalid_request',
  'headers_too_large',
  'internal_error',
  'unavailable',
];
const OF_CALLERS: Readonly<Record<DocumentName, readonly DocumentedError[]>> = {
  applications: ['unauthorized', 'not_permitted', 'origin_not_allowed', 'rate_limited'],
  operators: ['unauthorized', 'forbidden'],
};

/** Lists the errors of an operation: those that its schema names, and those of its authentication, body and path. */
function errorsOf({ schema = {}, config = {}, url }: DocumentedRoute, name: DocumentName) {
  return [
    ...OF_EVERY_CALL,
    ...(schema.security === undefined ? OF_CALLERS[name] : []),
    ...(schema.body === undefined ? [] : (['payload_too_large', 'request_timeout'] as const)),
    ...(config.keyedBy === undefined ? [] : (['conflict', 'idempotency_mismatch'] as const)),
    ...(url.includes('/applications/:applicationId') ? (['not_found'] as const) : []),
    ...(schema.errors ?? []),
  ];
}

const LOCATIONS = { query: 'querystring', path: 'params', header: 'headers' } as const;

function parametersOf(schema: FastifySchema, { referTo }: Components) {
  return Object.entries(LOCATIONS).flatMap(([location, part]) => {
    const { properties = {}, required = [] } = (schema[part] ?? {}) as Schema;
    return Object.entries(properties).map(([name, { description, examples: _, ...property }]) => ({
      name,
      in: location,
      required: required.includes(name),
      description,
      schema: referTo(property),
      example: exampleOf(properties[name] ?? {}, name),
    }));
  });
}

const bodyOf = (schema: Schema, { referTo }: Components) => ({
  schema: referTo(schema),
  example: exampleOf(schema),
});

function requestBodyOf(
  { body, consumes = 'application/json', isBodyOptional = false }: FastifySchema,
  components: Components,
) {
  if (body === undefined) return undefined;
  return { required: !isBodyOptional, content: { [consumes]: bodyOf(body as Schema, components) } };
}

const HAVE_NO_BODY: readonly HTTPMethods[] = ['GET', 'HEAD'];

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'The request succeeded.',
  201: 'The object was created.',
  204: 'The request succeeded. The response has no body.',
};

const RESPONSE_HEADERS = {
  'svc-request-id': { $ref: '#/components/headers/svc-request-id' },
  'svc-version': { $ref: '#/components/headers/svc-version' },
  traceparent: { $ref: '#/components/headers/traceparent' },
};

function responseOf(status: string, response: Schema, components: Components) {
  const { description = DESCRIPTIONS[status], content, headers, ...body } = response;
  const json = () => ({ 'application/json': bodyOf(body, components) });
  return {
    description,
    headers: { ...RESPONSE_HEADERS, ...(headers ?? {}) },
    ...(body.type !== 'null' && { content: content ?? json() }),
  };
}

const responsesOf = ({ response = {} }: FastifySchema, components: Components) =>
  Object.fromEntries(
    Object.entries(response as Readonly<Record<string, Schema>>).map(([status, schema]) => [
      status.replace('xx', 'XX'),
      responseOf(status, schema, components),
    ]),
  );

const OTHER_ERRORS = { $ref: '#/components/responses/Error' };

const idOf = ({ operationId = '' }: FastifySchema, method: HTTPMethods, isOneOfMany: boolean): string =>
  isOneOfMany ? operationId + method.charAt(0) + method.slice(1).toLowerCase() : operationId;

/** Describes the operations of a route, one for each of its methods. */
export function describeOperations(route: DocumentedRoute, name: DocumentName, components: Components) {
  const { schema = {} } = route;
  const { tags, summary, description, security } = schema;
  const methods = [route.method].flat();
  const responses = responsesOf(schema, components);
  const own = {
    tags,
    summary,
    description,
    ...(security && { security }),
    parameters: parametersOf(schema, components),
    responses: {
      ...errorResponses(
        // Leaves out an error whose status belongs to a documented range such as 4XX, because the range already
        // describes it.
        errorsOf(route, name).filter((error) => !(`${Math.floor(statusOf(error) / 100)}XX` in responses)),
        components,
      ),
      default: OTHER_ERRORS,
      ...responses,
    },
  };
  const requestBody = requestBodyOf(schema, components);
  return methods.map((method) => ({
    method: method.toLowerCase(),
    operation: {
      operationId: idOf(schema, method, methods.length > 1),
      ...own,
      ...(requestBody && !HAVE_NO_BODY.includes(method) && { requestBody }),
    },
  }));
}
