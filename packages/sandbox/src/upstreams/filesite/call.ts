import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isObject, parseJson } from '../../json.js';
import type { Access } from '../../oauth/authorization-server.js';
import type { PerPerson } from '../../person.js';
import type { OAuthContext } from '../../upstream.js';
import {
  ApiError,
  accessDenied,
  errorBody,
  invalidRequest,
  invalidVersion,
  methodNotAllowed,
  segmentNotFound,
  tooLarge,
  unauthorized,
} from './api-error.js';
import type { Links, Monitors } from './links.js';
import { checkOptions, listPage, select, withMarks } from './odata.js';
import type { FilesiteState } from './state.js';
import type { UploadSessions } from './upload-sessions.js';

export const SCOPES = {
  offline_access: 'Maintain access to data you have given it access to',
  openid: 'Sign you in',
  profile: 'View your basic profile',
  email: 'View your email address',
  'User.Read': 'Sign you in and read your profile',
  'Sites.Read.All': 'Read items in all site collections',
  'Sites.ReadWrite.All': 'Edit or delete items in all site collections',
  'Files.Read': 'Read your files',
  'Files.Read.All': 'Read all files that you have access to',
  'Files.ReadWrite': 'Have full access to your files',
  'Files.ReadWrite.All': 'Have full access to all files you have access to',
} as const;

type ScopeName = keyof typeof SCOPES;

export const READ_SITES: readonly ScopeName[] = ['Sites.Read.All', 'Sites.ReadWrite.All'];

export const READ_FILES: readonly ScopeName[] = [
  ...READ_SITES,
  'Files.Read',
  'Files.Read.All',
  'Files.ReadWrite',
  'Files.ReadWrite.All',
];

export const WRITE_FILES: readonly ScopeName[] = [
  'Files.ReadWrite',
  'Files.ReadWrite.All',
  'Sites.ReadWrite.All',
];

export interface Call {
  readonly state: FilesiteState;
  readonly links: Links;
  readonly sessions: UploadSessions;
  readonly monitors: Monitors;
  readonly now: number;
  readonly query: URLSearchParams;
  /** Absolute URL of the request, without the query. */
  readonly url: string;
  readonly bytes: Buffer;
  header(name: string): string | undefined;
  dispatch(request: Arrived): Promise<Outcome>;
  context(fragment: string): string;
  /** Returns the JSON object in the request body. An absent body becomes an empty object. */
  json(): Readonly<Record<string, unknown>>;
}

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
}

export interface Outcome {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Json = Readonly<Record<string, unknown>>;

export const entity = ({ context, query }: Call, fragment: string, value: Json): Outcome => ({
  status: 200,
  body: { '@odata.context': context(fragment), ...select(value, query) },
});

export const list = ({ context, query, url }: Call, fragment: string, values: readonly Json[]): Outcome => ({
  status: 200,
  body: listPage(values, { query, url, context: context(fragment) }),
});

export interface Endpoint {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Pattern of the request path after the API version. Its capture groups stay percent-encoded. */
  readonly path: RegExp;
  /** OAuth scopes that allow the request. A token needs only one of them. */
  readonly scopes: readonly ScopeName[];
  readonly options?: readonly string[];
  handle(call: Call, ...parts: string[]): Outcome | Promise<Outcome>;
}

export interface Surroundings {
  readonly context: OAuthContext;
  readonly states: PerPerson<FilesiteState>;
  readonly links: Links;
  readonly sessions: UploadSessions;
  readonly monitors: Monitors;
}

const PREFIX = '/v1.0';
const MAX_BODY_BYTES = 250 * 1024 * 1024;

/**
 * Adds all endpoints behind one wildcard route. Paths contain colons and commas, which Fastify's router would
 * misinterpret.
 */
export function addEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  surroundings: Surroundings,
): void {
  app.setNotFoundHandler((request, reply) => {
    const [, version = ''] = request.url
      .slice(new URL(surroundings.context.baseUrl).pathname.length)
      .split(/[/?]/);
    return refuse(invalidVersion(version), { request, reply }, surroundings);
  });
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${PREFIX}/*`,
    bodyLimit: MAX_BODY_BYTES,
    errorHandler(error, request, reply) {
      if (error instanceof ApiError) return refuse(error, { request, reply }, surroundings);
      if (error.statusCode === 413) return refuse(tooLarge(), { request, reply }, surroundings);
      throw error;
    },
    handler: async (request, reply) => {
      const { status, body, headers = {} } = await respond(request, endpoints, surroundings);
      return reply
        .code(status)
        .headers({ ...requestIds(request), ...headers })
        .send(body);
    },
  });
}

function requestIds({ id, headers }: FastifyRequest): Record<string, string> {
  return { 'request-id': id, 'client-request-id': headers['client-request-id']?.toString() ?? id };
}

function refuse(
  error: ApiError,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { context }: Surroundings,
): FastifyReply {
  const ids = requestIds(request);
  const body = errorBody(error, {
    requestId: request.id,
    now: context.clock.now(),
    clientRequestId: ids['client-request-id'] ?? request.id,
  });
  return reply
    .code(error.status)
    .headers({ ...ids, ...error.details?.headers })
    .send(body);
}

async function respond(
  request: Arrived,
  endpoints: readonly Endpoint[],
  surroundings: Surroundings,
): Promise<Outcome> {
  const { baseUrl } = surroundings.context.authorizationServer;
  const access = await authenticate(request, surroundings.context);
  const { pathname, searchParams } = new URL(request.url, baseUrl);
  const query = withMarks(searchParams);
  const path = pathname.slice(new URL(baseUrl).pathname.length + PREFIX.length);
  const here = endpoints.filter((endpoint) => endpoint.path.test(path));
  if (here.length === 0) throw segmentNotFound(decodeURIComponent(path.split('/').at(-1) ?? ''));
  const endpoint = here.find(({ verb }) => verb === request.method);
  if (endpoint === undefined) throw methodNotAllowed();
  if (!endpoint.scopes.some((scope) => access.scopes.has(scope))) throw accessDenied();
  checkOptions(query, endpoint.options ?? []);
  const dispatch = (other: Arrived) => respond(other, endpoints, surroundings);
  const call = { ...readCall(request, query, { access, surroundings }), dispatch };
  return endpoint.handle(call, ...(endpoint.path.exec(path) ?? []).slice(1));
}

async function authenticate(request: Arrived, { authorizationServer }: OAuthContext): Promise<Access> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization?.toString() ?? '')?.[1];
  const access = token === undefined ? undefined : await authorizationServer.access(token);
  if (access === undefined) throw unauthorized(token !== undefined);
  return access;
}

function readCall(
  request: Arrived,
  query: URLSearchParams,
  { access, surroundings }: { access: Access; surroundings: Surroundings },
): Omit<Call, 'dispatch'> {
  const { context, states, links, sessions, monitors } = surroundings;
  const { baseUrl } = context.authorizationServer;
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return {
    state: states.of(access.person),
    links,
    sessions,
    monitors,
    now: context.clock.now(),
    query,
    url: new URL(baseUrl).origin + (request.url.split('?', 1)[0] ?? ''),
    bytes,
    header: (name) => request.headers[name]?.toString(),
    context: (fragment) => `${baseUrl}${PREFIX}/$metadata#${fragment}`,
    json: () => readJson(bytes),
  };
}

function readJson(bytes: Buffer): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) return {};
  const parsed = parseJson(bytes.toString('utf8'));
  if (!isObject(parsed)) throw invalidRequest('The body is not a JSON object.');
  return parsed;
}
