import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { isObject, parseJson } from '../json.js';
import type { Access, AuthorizationServer } from '../oauth/authorization-server.js';
import { ApiError, errorBody, parameter, scopeInsufficient, unauthorized } from './api-error.js';
import { applyFields } from './field-mask.js';
import type { Taken } from './parameter-rules.js';
import { scopeUrl } from './scopes.js';

export type Outcome =
  | { readonly body: object; readonly etag?: string }
  | { readonly file: string; readonly type: string }
  | { readonly status: 204 | 304 };

export interface Method<Call> extends Taken {
  /** Method name in Google's API description, such as `calendar.v3.Events.List`. */
  readonly name: string;
  readonly verb: HTTPMethods;
  readonly path: string;
  readonly scopes: readonly string[];
  readonly returnsFile?: true;
  handle(call: Call): Outcome;
}

const VERBS: Readonly<Record<string, HTTPMethods>> = {
  List: 'GET',
  Get: 'GET',
  Update: 'PUT',
  Patch: 'PATCH',
  Delete: 'DELETE',
};

/** Returns the HTTP verb for a method name by its first word, such as GET for `ListGroups`. Default: POST. */
export const verbOf = (name: string): HTTPMethods => VERBS[/^[A-Z][a-z]*/.exec(name)?.[0] ?? ''] ?? 'POST';

export interface Incoming {
  readonly request: FastifyRequest;
  readonly access: Access;
  readonly query: URLSearchParams;
}

export interface Api<Call, Own extends Method<Call>> {
  readonly service: string;
  readonly prefix: string;
  readonly authorizationServer: AuthorizationServer;
  errorBody(error: ApiError): object;
  read(incoming: Incoming, method: Own): Call;
}

/**
 * Adds the methods of an API. A POST may override its verb with `X-HTTP-Method-Override`, because long queries exceed
 * the URL length limit.
 */
export function addMethods<Call, Own extends Method<Call>>(
  app: FastifyInstance,
  methods: readonly Own[],
  api: Api<Call, Own>,
): void {
  const paths = Map.groupBy(methods, ({ path }) => path);
  for (const [path, there] of paths) {
    const serve = (request: FastifyRequest, reply: FastifyReply) => {
      const requested = String(request.headers['x-http-method-override'] ?? request.method).toUpperCase();
      const verb = requested === 'HEAD' ? 'GET' : requested;
      const method = there.find((one) => one.verb === verb);
      if (method === undefined) return reply.callNotFound();
      return handleErrors(reply, api, () => respond(request, reply, { method, api }));
    };
    const verbs = [...new Set<HTTPMethods>(['POST', ...there.map(({ verb }) => verb)])];
    app.route({ method: verbs, url: api.prefix + path, handler: serve });
  }
}

const isQuery = ({ method, headers }: FastifyRequest): boolean =>
  method === 'POST' &&
  headers['x-http-method-override'] !== undefined &&
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

function queryOf(request: FastifyRequest): URLSearchParams {
  const { url, body } = request;
  const query = new URL(url, 'http://sandbox').searchParams;
  if (!isQuery(request)) return query;
  const more = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  for (const [name, value] of more) query.append(name, value);
  return query;
}

async function respond<Call, Own extends Method<Call>>(
  request: FastifyRequest,
  reply: FastifyReply,
  { method, api }: { method: Own; api: Api<Call, Own> },
): Promise<FastifyReply> {
  const incoming = await openMethod(request, method, api);
  const alt = incoming.query.get('alt') ?? 'json';
  if (alt !== 'json' && !(alt === 'media' && method.returnsFile))
    throw new ApiError(400, 'invalid', `Invalid value for alt: ${alt}`, { at: parameter('alt') });
  return sendOutcome(reply, incoming.query, method.handle(api.read(incoming, method)));
}

export function sendOutcome(reply: FastifyReply, query: URLSearchParams, outcome: Outcome): FastifyReply {
  if ('status' in outcome) return reply.code(outcome.status).send();
  if ('file' in outcome) return reply.type(outcome.type).send(outcome.file);
  if (outcome.etag !== undefined) reply.header('etag', outcome.etag);
  return reply.send(applyFields(outcome.body, query.get('fields') ?? undefined));
}

export async function handleErrors(
  reply: FastifyReply,
  { errorBody }: { errorBody(error: ApiError): object },
  send: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return reply
      .code(error.status)
      .headers({ ...error.details?.headers })
      .send(errorBody(error));
  }
}

export async function openMethod(
  request: FastifyRequest,
  { name, scopes }: { readonly name: string; readonly scopes: readonly string[] },
  { service, authorizationServer }: { service: string; authorizationServer: AuthorizationServer },
): Promise<Incoming> {
  const query = queryOf(request);
  const token = tokenOf(request) ?? query.get('oauth_token') ?? query.get('access_token');
  const access = token === null ? undefined : await authorizationServer.access(token);
  if (access === undefined) throw unauthorized(token !== null);
  const urls = scopes.map(scopeUrl);
  if (!urls.some((url) => access.scopes.has(url)))
    throw scopeInsufficient({ service, method: name, scopes: urls });
  return { request, access, query };
}

const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

export function pathPart({ params }: FastifyRequest, name: string): string {
  return isObject(params) ? String(params[name] ?? '') : '';
}

// Bodies without a Content-Type header are treated as JSON.
function checkJsonType(type = 'application/json'): void {
  const [name = ''] = type.toLowerCase().split(';', 1);
  if (name.trim() === 'application/x-www-form-urlencoded')
    throw new ApiError(400, 'parseError', 'This API does not support parsing form-encoded input.');
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(name.trim()))
    throw new ApiError(400, 'badContent', `Unsupported content with type: ${type}`);
}

export function readJsonBody(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0 || isQuery(request)) return {};
  checkJsonType(request.headers['content-type']);
  const parsed = parseJson(body.toString('utf8'));
  if (!isObject(parsed)) throw new ApiError(400, 'parseError', 'Parse Error');
  return parsed;
}

interface NotEmulated {
  readonly prefix: string;
  /** HTTP verbs and path of each method, such as `GET|POST /members`. */
  readonly methods: readonly string[];
}

const notEmulated = ({ method, routeOptions: { url = '' } }: FastifyRequest): ApiError =>
  new ApiError(501, 'notImplemented', `The sandbox does not emulate ${method} ${url.replace('::', ':')}.`);

export function addNotEmulated(app: FastifyInstance, { prefix, methods }: NotEmulated): void {
  for (const method of methods) {
    const [verbs = '', path = ''] = method.split(' ');
    app.route({
      method: verbs.split('|'),
      url: prefix + path,
      handler: (request, reply) => reply.code(501).send(errorBody(notEmulated(request))),
    });
  }
}

/** Adds an HTML page for unknown paths, because Google's servers do not use the API error format outside an API. */
export function addNotFoundPage(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type('text/html; charset=UTF-8')
      .send(
        '<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> That’s an error.</html>',
      ),
  );
}
