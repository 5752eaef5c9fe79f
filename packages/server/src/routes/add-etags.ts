import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Schema } from '../listener/list-schema.js';
import { etagSchema } from './etag-schema.js';

const IF_MATCH = {
  'if-match': {
    type: 'string',
    maxLength: 1024,
    description:
      'The `etag` of the object that you read. If somebody has changed the object since then, the response is 409 `conflict` with `details.changedBy` and `details.changedAt`.',
    examples: etagSchema.examples,
  },
};
const CHANGING = ['PUT', 'PATCH'];

const hasEtag = (schema: unknown): boolean =>
  (schema as Schema | undefined)?.properties?.['etag'] !== undefined;

const isTagged = (payload: unknown): payload is { readonly etag: string } =>
  typeof payload === 'object' && payload !== null && 'etag' in payload && typeof payload.etag === 'string';

/** Returns the header If-Match of a request. */
export const ifMatchOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  headers['if-match'];

/**
 * Adds the header ETag to each response with a property `etag`, and documents the header If-Match of routes that change
 * such an object.
 */
export function addEtags(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { response, headers, errors = [] } = route.schema ?? {};
    const isChange = [route.method].flat().some((method) => CHANGING.includes(method));
    if (!isChange || !hasEtag((response as Readonly<Record<string, unknown>> | undefined)?.['200'])) return;
    const { properties } = (headers ?? {}) as Schema;
    route.schema = {
      ...route.schema,
      headers: { type: 'object', properties: { ...properties, ...IF_MATCH } },
      errors: [...new Set([...errors, 'conflict' as const])],
    };
  });
  app.addHook('preSerialization', async (_request, reply, payload) => {
    if (isTagged(payload)) reply.header('etag', payload.etag);
    return payload;
  });
}
