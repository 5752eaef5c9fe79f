import type { Tool } from '@svc/catalog';
import type { FastifyInstance } from 'fastify';

/** Of JSON that may say much (rule A10). */
export const JSON_BODY = 1024 * 1024;

/** Of a call of a tool, or of any of several: as much as its upstream takes, where that is more. */
export const mostBytesOf = (...tools: readonly (Pick<Tool, 'bodyBytes'> | undefined)[]): number =>
  Math.max(JSON_BODY, ...tools.map((tool) => tool?.bodyBytes ?? 0));

/** Of forms, and of calls that hold a name and a secret: nobody has to be signed in to send some of those. */
export const SMALL_BODY = 4096;

/** Bounds the bodies of routes that are added from now on, where they say nothing else. */
export function limitBodies(app: FastifyInstance, mostBytes: number): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= mostBytes;
  });
}
