import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken } from '../../identifiers.js';
import { isObject, parseJson } from '../../json.js';
import type { AuthorizationServer } from '../../oauth/authorization-server.js';
import { authorize } from '../../oauth/authorize.js';
import type { OAuthProfile } from '../../oauth/profile.js';

export const ISSUER_PATH = '/auth';
export const RESOURCE_PATH = '/mcp';
export const RESOURCE_SCOPE = 'mcp';
export const REGISTRATION_PATH = `${ISSUER_PATH}/oauth2/register`;

export const notesOAuth = {
  paths: {
    authorization: `${ISSUER_PATH}/oauth2/authorize`,
    token: `${ISSUER_PATH}/oauth2/token`,
    revocation: `${ISSUER_PATH}/oauth2/revoke`,
  },
  scopes: {
    [RESOURCE_SCOPE]: 'Read meeting notes and transcripts',
    offline_access: 'Stay connected while you are away',
    openid: 'Know who you are',
    profile: 'Know your name',
    email: 'Know your e-mail address',
  },
  accessTokenSeconds: 6 * 3600,
  rotates: true,
  prefixes: { access: '', refresh: '' },
  extraParameters: [],
  hiddenRedirectParameters: [],
  newClient: () => ({ clientId: `client_${randomUUID()}`, clientSecret: randomToken(32) }),
  issuesRefreshToken: ({ params }) => String(params.scope).split(' ').includes('offline_access'),
  mcp: {
    issuerPath: ISSUER_PATH,
    registrationPath: REGISTRATION_PATH,
    resourcePath: RESOURCE_PATH,
    resourceScopes: [RESOURCE_SCOPE],
  },
  includesGrantedScopes: () => false,
} satisfies OAuthProfile;

export function addNotesOAuth(app: FastifyInstance, server: AuthorizationServer): void {
  const { authorization, token, revocation } = notesOAuth.paths;
  app.get(authorization, async (request, reply) => {
    const query = new URL(request.url, server.baseUrl).searchParams;
    // Forces the consent prompt, because the authorization server grants `offline_access` only with it. The consent
    // page appears every time anyway.
    if (query.get('prompt') === null) query.set('prompt', 'consent');
    // Adds the scope of the resource, because MCP clients request only `offline_access` or no scope at all.
    query.set('scope', withResourceScope(query.get('scope') ?? ''));
    return authorize(server, { request, reply, query });
  });
  app.get(`${authorization}/:uid`, (request, reply) =>
    authorize(server, { request, reply, query: new URLSearchParams() }),
  );
  app.post(token, async (request, reply) => {
    const form = formOf(request);
    if (form.grant_type === undefined)
      return sendJson(reply, 400, {
        error: 'invalid_request',
        error_description: 'grant_type is required, in a form',
      });
    // The OAuth library accepts a refresh without `resource`, but servers of the current MCP revision may reject it.
    if (form.resource === undefined)
      return sendJson(reply, 400, { error: 'invalid_target', error_description: 'resource is required' });
    const { status, body } = await server.post('token', form, clientHeaders(request));
    return sendJson(reply, status, body);
  });
  app.post(revocation, async (request, reply) => {
    const { status, body } = await server.post('revoke', formOf(request), clientHeaders(request));
    return status === 200 ? reply.code(200).send() : sendJson(reply, status, body);
  });
  app.get(`${ISSUER_PATH}/oauth2/jwks`, async (_, reply) => {
    const { status, body } = await server.door({ method: 'GET', url: '/_oauth/jwks', headers: {} });
    return reply.code(status).type('application/json').send(body);
  });
  app.post(REGISTRATION_PATH, (request, reply) => register(server, request, reply));
}

function withResourceScope(requested: string): string {
  return [...new Set([RESOURCE_SCOPE, ...requested.split(' ').filter(Boolean)])].join(' ');
}

function formOf(request: FastifyRequest): Record<string, string> {
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true) return {};
  return Object.fromEntries(
    new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''),
  );
}

function clientHeaders({ headers }: FastifyRequest): Record<string, string> {
  return headers.authorization === undefined ? {} : { authorization: headers.authorization };
}

async function register(
  { door }: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, body } = await door({
    method: 'POST',
    url: REGISTRATION_PATH,
    headers: { accept: 'application/json', 'content-type': request.headers['content-type'] ?? '' },
    payload: registration(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''),
  });
  return reply.code(status).type('application/json').header('cache-control', 'no-store').send(body);
}

/** Adds the scope of the resource to a client registration, because every authorization requests this scope. */
function registration(text: string): string {
  const metadata = parseJson(text);
  if (!isObject(metadata) || typeof metadata.scope !== 'string') return text;
  return JSON.stringify({ ...metadata, scope: withResourceScope(metadata.scope) });
}

function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body);
}
