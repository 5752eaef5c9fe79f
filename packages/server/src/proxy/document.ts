import type { FastifyPluginAsync, FastifySchema } from 'fastify';
import type { ErrorCode } from '../errors.js';
import type { Serve } from '../front/serve-api-request.js';
import { errorExamples } from '../listener/documented-errors.js';
import { closed } from '../listener/list-schema.js';
import { otherMethod, PROXY_METHODS } from './methods.js';

const URL = '/v1/proxy/*';
const schema: FastifySchema = {
  operationId: 'request',
  tags: ['proxy'],
  summary: 'Forward a request to the upstream as a connected account',
  description:
    'Method, query, headers and body are forwarded unchanged, and so is the response of the upstream. A response with the header svc-error is from the service.',
};
const text = { type: 'string' };
const ERRORS = [
  'account_not_authorized',
  'approval_required',
  'connection_failed',
  'connection_not_configured',
  'connection_not_found',
  'account_not_found',
  'forbidden',
  'internal_error',
  'invalid_request',
  'method_not_allowed',
  'not_permitted',
  'origin_not_allowed',
  'payload_too_large',
  'rate_limited',
  'unauthorized',
  'unavailable',
  'upstream_failed',
  'upstream_timeout',
  'websockets_not_supported',
] as const satisfies readonly ErrorCode[];
const mixed = {
  description: 'Error of the service with the header svc-error, or response of the upstream without it.',
  headers: {
    'svc-error': {
      description: 'Code of an error of the service. A response of the upstream never has this header.',
      schema: { type: 'string', enum: ERRORS },
      example: 'account_not_authorized',
    },
  },
  content: { 'application/json': { schema: {}, examples: errorExamples(ERRORS) } },
};
const anyBody = { '*/*': { schema: {}, example: { items: [] } } };
// Route definition that documents the proxy's path parameters in the OpenAPI document. The real route has a wildcard
// instead of named parameters, because Fastify would decode them.
const documented = {
  url: '/v1/proxy/:connectionName/:identifier/:path',
  schema: {
    ...schema,
    params: closed({
      connectionName: { ...text, description: 'Name of the connection.' },
      identifier: {
        ...text,
        description:
          'Percent-encoded, including slashes. A user without an account gets account_not_authorized, like a user without consent.',
      },
      path: {
        ...text,
        description: 'Path at the upstream, including its slashes, which must not be percent-encoded.',
        examples: ['v3/contacts'],
      },
    }),
    querystring: closed(
      {
        account: {
          ...text,
          maxLength: 64,
          examples: ['work'],
          description:
            'Label of the account, if the user has several accounts on the connection. The upstream does not get it. With the header svc-account, which names the label too, the whole query goes to the upstream.',
        },
      },
      [],
    ),
    consumes: '*/*',
    isBodyOptional: true,
    body: { description: 'Body for the upstream, in any format.', examples: [{ summary: 'Stand-up' }] },
    response: {
      200: { description: 'Response of the upstream, with its own status and headers.', content: anyBody },
      '4xx': mixed,
      '5xx': mixed,
      default: { ...mixed, content: anyBody },
    },
  },
};

/**
 * Adds the proxy to the OpenAPI document. Also forwards proxied requests that reach Fastify, because only those with
 * the usual spelling of the path bypass it.
 */
export function proxyRoutes({ proxy }: { readonly proxy: Serve }): FastifyPluginAsync {
  return async function addProxyRoutes(app) {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // Hides the header Content-Type from Fastify, which would refuse a malformed value, although only the upstream
    // should judge it. The raw headers still contain it.
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.method !== 'GET') delete request.headers['content-type'];
      done();
    });
    app.route({
      method: PROXY_METHODS,
      url: URL,
      exposeHeadRoute: false,
      schema,
      config: { isDelegated: true, documented },
      handler: (request, reply) => {
        reply.hijack();
        proxy(request.raw, reply.raw);
      },
    });
    app.route({
      method: app.supportedMethods.filter((method) => !PROXY_METHODS.includes(method)),
      url: URL,
      schema: { hide: true },
      handler: () => {
        throw otherMethod();
      },
    });
  };
}
