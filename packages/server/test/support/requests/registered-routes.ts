import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Schema } from './near-valid.js';
import type { Parameter } from './operations.js';

/** Registered route, with its path in OpenAPI notation. */
export interface RegisteredRoute {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
}

interface RouteSchema {
  readonly params?: Schema;
  readonly querystring?: Schema;
  readonly body?: Schema;
}

const parametersOf = (location: string, { properties = {}, required = [] }: Schema = {}): Parameter[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    in: location,
    required: required.includes(name),
  }));

/** Records every route of every Fastify server that is created from now on. */
export function watchRoutes() {
  const registered = new Map<unknown, RegisteredRoute[]>();
  const note = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    const routes: RegisteredRoute[] = [];
    registered.set(fastify, routes);
    fastify.addHook('onRoute', ({ method, url, schema }) => {
      // Fastify types a schema as `unknown`. All schemas of this service are JSON Schemas.
      const { params, querystring, body } = (schema ?? {}) as RouteSchema;
      const path = url
        .replace(/:(\w+)/g, '{$1}')
        .replace('/proxy/*', '/proxy/{connectionName}/{identifier}/{path}')
        .replace('*', '{path}');
      const parameters = [...parametersOf('path', params), ...parametersOf('query', querystring)];
      routes.push(...[method].flat().map((name) => ({ method: name, path, parameters, body })));
    });
  };
  subscribe('fastify.initialization', note);
  return {
    of: (server: FastifyInstance): readonly RegisteredRoute[] => registered.get(server) ?? [],
    stop: () => unsubscribe('fastify.initialization', note),
  };
}
