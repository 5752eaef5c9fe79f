import type { AnySchema } from 'ajv';
import type { FastifyServerOptions } from 'fastify';
import type { RequestChecks } from './find-request-check.js';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;

/** The keywords of a schema that decide which members of a response leave the service. */
interface ResponseSchema {
  readonly properties?: Readonly<Record<string, ResponseSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: ResponseSchema;
}

type PickKnown = (value: unknown) => unknown;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keeps only the members that the schema of a closed object names. */
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

/** Writes responses as JSON. A member that the schema of the route does not name never leaves the service. */
export function createResponseWriter(schema: ResponseSchema): (response: unknown) => string {
  const pick = createPick(schema);
  return (response) => JSON.stringify(pick ? pick(response) : response);
}

interface RequestSchema {
  readonly schema: AnySchema;
  readonly httpPart?: string;
}

/** Gives Fastify its compilers when it starts, so that it does not load its own. */
function controlledBy(
  check: (request: RequestSchema) => unknown,
  write: (response: { readonly schema: object }) => (value: unknown) => string,
): SchemaController {
  const compilersFactory = { buildValidator: () => check, buildSerializer: () => write };
  // Fastify types this for its own compilers, which know more of ajv than Fastify requires.
  return {
    compilersFactory: compilersFactory as unknown as NonNullable<SchemaController['compilersFactory']>,
  };
}

/** Compilers for a server with routes: checks of requests, writers of responses. */
export const compileFor = ({ find }: RequestChecks): SchemaController =>
  controlledBy(
    ({ schema, httpPart }) => find(schema, httpPart),
    ({ schema }) => createResponseWriter(schema),
  );

/** Compilers for a server that answers no request. */
export const compileNothing = (): SchemaController =>
  controlledBy(
    () => () => true,
    () => () => '',
  );
