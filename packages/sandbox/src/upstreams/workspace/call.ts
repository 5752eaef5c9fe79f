import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { isObject, parseJson } from '../../json.js';
import type { Access } from '../../oauth/authorization-server.js';
import type { PerPerson } from '../../person.js';
import type { OAuthContext } from '../../upstream.js';
import { ApiError, errorBody, invalid, invalidUrl, notFound } from './api-error.js';
import { botId } from './identity.js';
import { canonicalId, failureMessage, isUuid, object, type Shape, should } from './shape.js';
import type { FileUploadRecord, WorkspaceState } from './state.js';

type Handler = (call: Call) => unknown;

export interface Endpoints {
  /** Adds an endpoint. `served` returns true for the API versions that have it. Default: all versions. */
  add(method: HTTPMethods, path: string, handler: Handler, served?: (version: Version) => boolean): void;
}

const MAX_BODY_BYTES = 500 * 1024;

export function createEndpoints(
  app: FastifyInstance,
  context: OAuthContext,
  states: PerPerson<WorkspaceState>,
): Endpoints {
  return {
    add(method, path, handler, served = () => true) {
      app.route({
        method,
        url: `/v1${path}`,
        handler: async (request, reply) => {
          try {
            const call = await readCall(request, { context, states, served });
            return reply.send(await handler(call));
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            return reply.code(error.status).send(errorBody(error, request.id));
          }
        },
      });
    },
  };
}

interface Surroundings {
  readonly context: OAuthContext;
  readonly states: PerPerson<WorkspaceState>;
  served(version: Version): boolean;
}

export type Call = Awaited<ReturnType<typeof readCall>>;

async function readCall(request: FastifyRequest, { context, states, served }: Surroundings) {
  const access = await authenticate(request, context);
  const version = readVersion(request.headers['notion-version']);
  if (!served(version)) throw invalidUrl();
  const params = readParams(request.params);
  const body = readBody(request);
  const state = states.of(access.person);
  const checkAs = (shape: Shape) => {
    const problems = shape(body, 'body');
    if (problems.length > 0) throw invalid(failureMessage('body', problems));
    assertUploaded(state, body);
  };
  return {
    state,
    version,
    access,
    /** User id of the integration's bot user. */
    bot: botId(access.person, access.clientId),
    requestId: request.id,
    now: context.clock.now(),
    searchLagMs: context.dials().searchLagSeconds * 1000,
    query: new URL(request.url, 'http://sandbox').searchParams,
    body,
    clientName: async () => {
      const client = await context.authorizationServer.provider.Client.find(access.clientId);
      return client?.clientName ?? 'Integration';
    },
    /** Returns an id from the URL path, in the form with dashes. */
    id: (name: string) => params[name] ?? '',
    form: () => readForm(request),
    checkAs,
    /** Validates the request body. Keys that are not in `fields` are rejected. */
    checkBody: (fields: Readonly<Record<string, Shape>>, required: readonly string[] = []) =>
      checkAs(object(fields, required)),
  };
}

async function authenticate(request: FastifyRequest, { authorizationServer }: OAuthContext): Promise<Access> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const access = token === undefined ? undefined : await authorizationServer.access(token);
  if (access === undefined) throw new ApiError(401, 'unauthorized', 'API token is invalid.');
  return access;
}

function readParams(params: unknown): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [name, value] of Object.entries(isObject(params) ? params : {})) {
    if (name === 'property_id') {
      ids[name] = String(value);
      continue;
    }
    const problems = isUuid(value) ? [] : should(`path.${name}`, 'a valid uuid', value);
    if (problems.length > 0) throw invalid(failureMessage('path', problems));
    ids[name] = canonicalId(String(value));
  }
  return ids;
}

const isJson = (contentType = ''): boolean => /^application\/json\b/i.test(contentType);
const isForm = (contentType = ''): boolean => /^multipart\/form-data\b/i.test(contentType);

async function readForm({ body, headers }: FastifyRequest): Promise<FormData> {
  const contentType = headers['content-type'] ?? '';
  const bytes = Buffer.isBuffer(body) ? new Uint8Array(body) : new Uint8Array();
  const form = isForm(contentType)
    ? await new Response(bytes, { headers: { 'content-type': contentType } })
        .formData()
        .catch(() => undefined)
    : undefined;
  if (form === undefined) throw invalid('The body is not valid multipart/form-data.');
  return form;
}

function readBody(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (isForm(request.headers['content-type'])) return {};
  if (request.method === 'GET' || !Buffer.isBuffer(body) || body.length === 0) return {};
  if (body.length > MAX_BODY_BYTES) throw new ApiError(413, 'validation_error', 'Payload too large.');
  const parsed = isJson(request.headers['content-type']) ? parseJson(body.toString('utf8')) : undefined;
  if (parsed === undefined) throw new ApiError(400, 'invalid_json', 'Error parsing JSON body.');
  if (!isObject(parsed)) throw invalid(failureMessage('body', should('body', 'an object', parsed)));
  return parsed;
}

/** Returns a file upload whose content has arrived. Other uploads are rejected, because they cannot be attached. */
export function uploadedFile(state: WorkspaceState, given: string): FileUploadRecord {
  const id = canonicalId(given);
  const upload = state.fileUploads.get(id);
  if (upload === undefined) throw notFound('file_upload', id);
  if (upload.status !== 'uploaded')
    throw invalid(`File upload must have a status of \`uploaded\`, but is \`${upload.status}\`.`);
  return upload;
}

/** Rejects a body that refers to a file without uploaded content, at any depth. */
function assertUploaded(state: WorkspaceState, part: unknown): void {
  if (Array.isArray(part)) for (const item of part) assertUploaded(state, item);
  if (!isObject(part)) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === 'file_upload' && isObject(value) && isUuid(value.id)) uploadedFile(state, value.id);
    else assertUploaded(state, value);
  }
}

/** API versions that change the emulated behavior, oldest first. Earlier versions behave like the first. */
const V22 = '2022-06-28';
const V25 = '2025-09-03';
const V26 = '2026-03-11';

const SERVED: readonly string[] = ['2021-05-11', '2021-05-13', '2021-08-16', '2022-02-22', V22, V25, V26];

export type Version = ReturnType<typeof readVersion>;

function readVersion(header: string | string[] | undefined) {
  if (header === undefined || header === '') {
    const message =
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.';
    throw new ApiError(400, 'missing_version', message);
  }
  const served = SERVED.map((date) => `\`"${date}"\``).join(', ');
  if (typeof header !== 'string' || !SERVED.includes(header)) {
    throw invalid(
      `Notion-Version header failed validation: Notion-Version header should be one of ${served}, instead was \`"${header}"\`.`,
    );
  }
  return { hasDataSources: header >= V25, hasArchived: header < V26 };
}
