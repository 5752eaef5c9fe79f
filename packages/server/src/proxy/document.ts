import type { FastifyPluginAsync } from 'fastify';
import type { Serve } from '../front/serve-call.js';
import { otherMethod, PROXY_METHODS } from './methods.js';

const URL = '/v1/proxy/*';
const schema = {
  tags: ['proxy'],
  summary: 'Forward a request to the upstream as a connected account',
  description:
    'Method, query, headers and body are forwarded unchanged, and so is the response of the upstream. A response with the header svc-error is from the service.',
};
const text = { type: 'string' };
// Schema that documents the path parameters of the proxy route in the OpenAPI document. The Fastify route has a
// wildcard instead, because the router would decode named parameters.
const documented = {
  url: '/v1/proxy/:connectionName/:identifier/:path',
  schema: {
    ...schema,
    params: {
      type: 'object',
      required: ['connectionName', 'identifier', 'path'],
      properties: {
        connectionName: text,
        identifier: {
          ...text,
          description:
            'Percent-encoded, including slashes. A user without an account gets account_not_authorized, like a user without consent.',
        },
        path: { ...text, description: 'Path at the upstream, including slashes.' },
      },
    },
    response: { default: { description: 'Response of the upstream.', content: { '*/*': { schema: {} } } } },
  },
};

/**
 * Adds the proxy to the OpenAPI document. Also forwards proxy requests that reached Fastify, because only requests with
 * the usual spelling of the path bypass Fastify.
 */
export function proxyRoutes({ proxy }: { readonly proxy: Serve }): FastifyPluginAsync {
  return async function addProxyRoutes(app) {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // Fastify would refuse a malformed Content-Type. The header is hidden from Fastify, because the upstream must
    // decide about it. The raw headers still contain the header.
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.method !== 'GET') delete request.headers['content-type'];
      done();
    });
    app.route({
      method: PROXY_METHODS,
      url: URL,
      exposeHeadRoute: false,
      schema,
      config: { isDelegated: true, swaggerTransform: () => documented },
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
