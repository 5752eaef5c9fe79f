import type { AnySchema } from 'ajv';
import type { FastifyServerOptions } from 'fastify';
import type { RequestChecks } from './find-request-check.js';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;

/** Keywords of a response schema that decide which properties are sent to the caller. */
interface ResponseSchema {
  readonly properties?: Readonly<Record<string, ResponseSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: ResponseSchema;
}

type PickKnown = (value: unknown) => unknown;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Creates a function that removes undeclared properties from an object, if its schema has `additionalProperties:
 * false`.
 */
function createPick({ properties, additionalProperties, items }: ResponseSchema): PickKnown | undefined {
  if (items !== undefined) {
    const pick = createPick(items);
    return pick && ((value) => (Array.isArray(value) ? value.map(pick) : value));
  }
  if (properties === undefined || additionalProperties !== false) return undefined;
  const picks = Object.entries(properties).map(([name, schema]) => [name, createPick(schema)] as const);
  return (value) => {
    if (!isObject(value)) return value;
    const known = picks.filter(([name]) => Object.hasOwn(value, name) && value[name] !== undefined);
    return Object.fromEntries(known.map(([name, pick]) => [name, pick ? pick(value[name]) : value[name]]));
  };
}

/**
 * Creates a function that writes responses as JSON. Properties that the route's schema does not name are never sent.
 */
export function createResponseWriter(schema: ResponseSchema): (response: unknown) => string {
  const pick = createPick(schema);
  return (response) => JSON.stringify(pick ? pick(response) : response);
}

interface RequestSchema {
  readonly schema: AnySchema;
  readonly httpPart?: string;
}

/**
 * Creates a Fastify schema controller from a compiler of validators and a compiler of serializers, so that Fastify does
 * not load its own compilers.
 */
function controlledBy(
  check: (request: RequestSchema) => unknown,
  write: (response: { readonly schema: object }) => (value: unknown) => string,
): SchemaController {
  const compilersFactory = { buildValidator: () => check, buildSerializer: () => write };
  // The cast is needed, because Fastify's type requires members of an ajv validator that Fastify does not use.
  return {
    compilersFactory: compilersFactory as unknown as NonNullable<SchemaController['compilersFactory']>,
  };
}

/**
 * Creates Fastify's schema controller, which validates requests and serializes responses by the schemas of the routes.
 */
export const compileFor = ({ find }: RequestChecks): SchemaController =>
  controlledBy(
    ({ schema, httpPart }) => find(schema, httpPart),
    ({ schema }) => createResponseWriter(schema),
  );
