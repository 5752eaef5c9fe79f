import type { Tool } from '@svc/catalog';
import type { FastifyInstance } from 'fastify';

/** Maximum size of a JSON request body in bytes (rule A10 in security-rules.md). */
export const JSON_BODY = 1024 * 1024;

/**
 * Returns the maximum body size in bytes for a request that may call any of these tools. Some tools allow more than the
 * default of 1 MiB.
 */
export const mostBytesOf = (...tools: readonly (Pick<Tool, 'bodyBytes'> | undefined)[]): number =>
  Math.max(JSON_BODY, ...tools.map((tool) => tool?.bodyBytes ?? 0));

/**
 * Maximum body size in bytes for HTML forms and for sign-ins with name and password. Such requests can arrive without
 * authentication.
 */
export const SMALL_BODY = 4096;

/** Sets the body limit of each route that is registered later and has none of its own. */
export function limitBodies(app: FastifyInstance, mostBytes: number): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= mostBytes;
  });
}
