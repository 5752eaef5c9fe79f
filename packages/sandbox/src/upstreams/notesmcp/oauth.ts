import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken } from '../../identifiers.js';
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
    // The page asks every time anyway, so offline_access needs no prompt of the client's.
    if (query.get('prompt') === null) query.set('prompt', 'consent');
    return authorize(server, { request, reply, query });
  });
  app.get(`${authorization}/:uid`, (request, reply) =>
    authorize(server, { request, reply, query: new URLSearchParams() }),
  );
  app.post(token, async (request, reply) => {
    const form = formOf(request);
    // Its own library lets a refresh leave the resource out; servers of the current revision need not.
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

function formOf(request: FastifyRequest): Record<string, string> {
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
    payload: Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '',
  });
  return reply.code(status).type('application/json').header('cache-control', 'no-store').send(body);
}

function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body);
}
