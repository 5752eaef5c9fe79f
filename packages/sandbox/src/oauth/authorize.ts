import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizationServer } from './authorization-server.js';
import type { DoorReply } from './door.js';

interface AuthorizeOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly query: URLSearchParams;
  /** Path of the authorization request at the authorization server. Default: the path of the HTTP request. */
  readonly path?: string;
}

export async function authorize(
  server: AuthorizationServer,
  { request, reply, query, path = pathOf(server, request) }: AuthorizeOptions,
): Promise<FastifyReply> {
  const search = query.size === 0 ? '' : `?${query}`;
  const response = await server.door({
    method: 'GET',
    url: `${path}${search}`,
    headers: browserHeaders(server.id, request),
  });
  return relay(response, reply, server.profile.hiddenRedirectParameters);
}

function pathOf({ baseUrl }: AuthorizationServer, { url }: FastifyRequest): string {
  return url.slice(new URL(baseUrl).pathname.length).split('?')[0] ?? '';
}

// Removes the session cookie, so that the person chooses an account in every authorization.
function browserHeaders(id: string, { headers }: FastifyRequest): Record<string, string> {
  const cookies = (headers.cookie ?? '')
    .split(/; */)
    .filter((cookie) => !cookie.startsWith(`_${id}_session`));
  return { host: headers.host ?? '127.0.0.1', accept: 'text/html', cookie: cookies.join('; ') };
}

function relay(response: DoorReply, reply: FastifyReply, hidden: readonly string[]): FastifyReply {
  for (const name of ['content-type', 'cache-control', 'set-cookie']) {
    const value = response.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  const { location } = response.headers;
  if (typeof location === 'string') reply.header('location', without(location, hidden));
  return reply.code(response.status).send(location === undefined ? response.body : '');
}

function without(location: string, hidden: readonly string[]): string {
  const [base = '', search] = location.split('?', 2);
  if (search === undefined) return location;
  const params = new URLSearchParams(search);
  for (const name of hidden) params.delete(name);
  return `${base}?${params}`;
}
