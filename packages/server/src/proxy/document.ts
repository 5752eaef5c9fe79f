import type { FastifyPluginAsync } from 'fastify';
import type { Serve } from '../front/serve.js';
import { otherMethod, PROXY_METHODS } from './methods.js';

export interface ProxyRouteParts {
  readonly proxy: Serve;
}

const URL = '/v1/proxy/*';
const schema = {
  tags: ['proxy'],
  summary: 'Forward a request to the upstream as a connected account',
  description:
    "Method, query, headers and body go through as they are, and so does the answer; an answer with the header svc-error is the service's own.",
};
const text = { type: 'string' };
// The path is taken apart by hand, because the router would decode it; the document shows its parts.
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
            'Percent-encoded, a slash as well. A user who never connected gets account_not_authorized, as one who has not approved.',
        },
        path: { ...text, description: "The upstream's own path, slashes included." },
      },
    },
    response: { default: { description: "The upstream's answer.", content: { '*/*': { schema: {} } } } },
  },
};

/** Says what the proxy is, and leads to it whatever the way beside the framework does not take. */
export const proxyRoutes =
  ({ proxy }: ProxyRouteParts): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // A malformed Content-Type would be refused here, but it is the upstream's to judge. It is sent on from the raw headers.
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
