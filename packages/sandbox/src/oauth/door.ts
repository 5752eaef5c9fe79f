import fastify from 'fastify';
import type Provider from 'oidc-provider';

/** An in-process request to the authorization server. The URL is relative to the base URL of the emulated service. */
interface DoorRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

export interface DoorReply {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: string;
}

export type Door = (request: DoorRequest) => Promise<DoorReply>;

export function createDoor(provider: Provider, mountPath: string): Door {
  const app = fastify();
  const handle = provider.callback();
  app.removeAllContentTypeParsers();
  // Fastify must not consume the body, because the authorization server reads it from the raw request.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.all('/*', (request, reply) => {
    reply.hijack();
    Object.assign(request.raw, { originalUrl: `${mountPath}${request.raw.url ?? ''}` });
    return handle(request.raw, reply.raw);
  });
  return async ({ method, url, headers, payload }) => {
    const reply = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    return { status: reply.statusCode, headers: reply.headers, body: reply.body };
  };
}
