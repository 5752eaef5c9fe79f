import type { Tool } from '@svc/catalog';
import type { FastifyInstance } from 'fastify';

/** Maximum number of bytes of a JSON body (rule A10). */
export const JSON_BODY = 1024 * 1024;

/** Maximum size of a body for any of these tools: the default, or what the upstream takes if that is more. */
export const mostBytesOf = (...tools: readonly (Pick<Tool, 'bodyBytes'> | undefined)[]): number =>
  Math.max(JSON_BODY, ...tools.map((tool) => tool?.bodyBytes ?? 0));

/** Maximum number of bytes of a form, or of a name with a secret. Some of these are sent without any sign-in. */
export const SMALL_BODY = 4096;

/** Bounds the bodies of routes that are added later and set no limit of their own. */
export function limitBodies(app: FastifyInstance, mostBytes: number): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= mostBytes;
  });
}
