import {
  AuthenticationHandler,
  Client,
  type Context,
  HTTPMessageHandler,
  type Middleware,
  RedirectHandler,
  RedirectHandlerOptions,
  RetryHandler,
  RetryHandlerOptions,
  TelemetryHandler,
} from '@microsoft/microsoft-graph-client';
import type { Operation } from '../support/battery.js';
import type { Address } from '../support/ways.js';

export type GraphOperation = Operation<Client>;

const OWN = /\bhttp:\/\/(?=127\.0\.0\.1:|localhost:)/g;
export const overTheWire = (url: string): string => url.replace(/^https:/, 'http:');

const withTls = (text: string): string => text.replace(OWN, 'https://');

/**
 * Removes TLS between the client and the tested URL. The Graph client accepts only https URLs and sends tokens only to
 * them. The middleware sends plain HTTP instead, and restores https in the response.
 */
function withoutTls(): Middleware {
  const wire = new HTTPMessageHandler();
  return {
    async execute(context: Context) {
      context.request = overTheWire(String(context.request));
      await wire.execute(context);
      const { response } = context;
      if (response === undefined) return;
      const headers = new Headers(response.headers);
      const location = headers.get('location');
      if (location !== null) headers.set('location', withTls(location));
      const isJson = headers.get('content-type')?.includes('json') === true;
      const body = isJson ? withTls(await response.text()) : response.body;
      const rewritten = new Response(body, { status: response.status, headers });
      context.response = Object.defineProperty(rewritten, 'url', { value: withTls(response.url) });
    },
  };
}

/**
 * Creates the Graph client with its own handlers for tokens, retries, redirects and telemetry, in their default order.
 */
export function graphClient({ baseUrl, token }: Address): Client {
  const { host, hostname } = new URL(baseUrl);
  const handlers = [
    new AuthenticationHandler({ getAccessToken: async () => token }),
    new RetryHandler(new RetryHandlerOptions(0.001, 2)),
    new RedirectHandler(new RedirectHandlerOptions()),
    new TelemetryHandler(),
  ];
  handlers.forEach((handler, index) => {
    handler.setNext(handlers[index + 1] ?? withoutTls());
  });
  const [first] = handlers;
  return Client.initWithMiddleware({
    baseUrl: baseUrl.replace(`http://${host}`, `https://${host}`),
    defaultVersion: 'v1.0',
    customHosts: new Set([hostname]),
    ...(first && { middleware: first }),
  });
}
