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
 * The client knows no address without TLS: it takes no such link, and sends no token there. Here TLS ends before the wire,
 * as it does behind a load balancer that tells nobody.
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
      const shown = new Response(body, { status: response.status, headers });
      context.response = Object.defineProperty(shown, 'url', { value: withTls(response.url) });
    },
  };
}

/** The client with its own handlers of tokens, retries, redirects and telemetry, in its own order. */
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
