import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { isObject, parseJson } from '../../json.js';
import type { Access } from '../../oauth/authorization-server.js';
import type { PerPerson } from '../../person.js';
import type { OAuthContext } from '../../upstream.js';
import {
  ApiError,
  errorBody,
  invalidParameter,
  notFound,
  scopeInsufficient,
  unauthorized,
  writerNeeded,
} from './api-error.js';
import { applyFields } from './field-mask.js';
import { type Parameters, readParameters } from './parameters.js';
import type { Quota } from './quota.js';
import { type ScopeName, scopeUrl } from './scopes.js';
import type { CalendarRecord, CalendarState, Fields } from './state.js';

/** A request that has passed the checks that all methods share. */
export interface Call {
  readonly state: CalendarState;
  readonly parameters: Parameters;
  readonly body: Readonly<Fields>;
  /** A part of the path, decoded. */
  part(name: string): string;
  header(name: string): string | undefined;
  /** The calendar of the path; `primary` is the person's own. */
  calendar(): CalendarRecord;
  /** The same, for a method that changes it. */
  writableCalendar(): CalendarRecord;
}

/** What a handler answers: a body, or a status without one. */
export type Outcome = { readonly body: object; readonly etag?: string } | { readonly status: 204 | 304 };

export interface Method {
  /** The name in the API description, such as `Events.List`. */
  readonly name: string;
  readonly verb: HTTPMethods;
  readonly path: string;
  /** Any one of these opens the method. */
  readonly scopes: readonly ScopeName[];
  readonly units?: number;
  handle(call: Call): Outcome;
}

export interface Surroundings {
  readonly context: OAuthContext;
  readonly states: PerPerson<CalendarState>;
  readonly quota: Quota;
}

export function addMethod(app: FastifyInstance, method: Method, surroundings: Surroundings): void {
  app.route({
    method: method.verb,
    url: `/calendar/v3${method.path}`,
    handler: async (request, reply) => {
      try {
        const call = await readCall(request, method, surroundings);
        const outcome = method.handle(call);
        if ('status' in outcome) return reply.code(outcome.status).send();
        if (outcome.etag !== undefined) reply.header('etag', outcome.etag);
        return reply.send(applyFields(outcome.body, call.parameters.text('fields')));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return reply
          .code(error.code)
          .headers({ ...error.details.headers })
          .send(errorBody(error));
      }
    },
  });
}

async function readCall(
  request: FastifyRequest,
  method: Method,
  { context, states, quota }: Surroundings,
): Promise<Call> {
  const query = new URL(request.url, 'http://sandbox').searchParams;
  const access = await authenticate(request, query, context);
  checkScope(access, method);
  quota.spend(`${access.person.id} ${access.clientId}`, method.units ?? 1, context.dials().quotaPerMinute);
  const alt = query.get('alt') ?? 'json';
  if (alt !== 'json') throw invalidParameter('alt', `Invalid value for alt: ${alt}`);
  const state = states.of(access.person);
  const parts = isObject(request.params) ? request.params : {};
  const part = (name: string) => String(parts[name] ?? '');
  const calendar = () => findCalendar(state, part('calendarId'));
  return {
    state,
    parameters: readParameters(query),
    body: readBody(request),
    part,
    header: (name) => request.headers[name]?.toString(),
    calendar,
    writableCalendar() {
      const found = calendar();
      if (found.accessRole !== 'owner' && found.accessRole !== 'writer') throw writerNeeded();
      return found;
    },
  };
}

async function authenticate(
  request: FastifyRequest,
  query: URLSearchParams,
  { authorizationServer }: OAuthContext,
): Promise<Access> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? query.get('oauth_token');
  const access = token === null ? undefined : await authorizationServer.access(token);
  if (access === undefined) throw unauthorized(token !== null);
  return access;
}

function checkScope(access: Access, { name, scopes }: Method): void {
  const urls = scopes.map(scopeUrl);
  if (!urls.some((url) => access.scopes.has(url))) throw scopeInsufficient(`calendar.v3.${name}`, urls);
}

export function findCalendar(state: CalendarState, id: string): CalendarRecord {
  const found = state.calendars.get(id === 'primary' ? state.person.email : id);
  if (found === undefined) throw notFound();
  return found;
}

function readBody({ body }: FastifyRequest): Fields {
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const parsed = parseJson(body.toString('utf8'));
  if (!isObject(parsed)) throw new ApiError(400, 'parseError', 'Parse Error');
  return parsed;
}
