import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { randomToken } from '../../identifiers.js';
import type { OAuthReply } from '../../oauth/authorization-server.js';
import { authorize } from '../../oauth/authorize.js';
import { page } from '../../oauth/page.js';
import type { OAuthProfile } from '../../oauth/profile.js';
import type { Person } from '../../person.js';
import type { OAuthContext } from '../../upstream.js';
import { botId, personUser, workspaceOf } from './identity.js';
import { type Form, oauthFailure, readForm, readTokenForm } from './oauth-form.js';

// The service has no scopes; the authorization server needs one, which never leaves the sandbox.
const INNER_SCOPE = 'workspace';
const YEAR_SECONDS = 365 * 24 * 3600;

export const workspaceOAuth: OAuthProfile = {
  paths: { authorization: '/v1/oauth/authorize', token: '/v1/oauth/token', revocation: '/v1/oauth/revoke' },
  scopes: { [INNER_SCOPE]: 'Use the workspace' },
  rights: [
    'Read, update and insert content',
    'Read and insert comments',
    'See people with their e-mail addresses',
  ],
  accessTokenSeconds: YEAR_SECONDS,
  rotates: true,
  prefixes: { access: 'ntn_', refresh: 'nrt_' },
  extraParameters: ['owner', 'redirect_uri_sent'],
  hiddenRedirectParameters: ['iss', 'error_description'],
  newClient: () => ({ clientId: randomUUID(), clientSecret: `secret_${randomToken(32)}` }),
  issuesRefreshToken: () => true,
  includesGrantedScopes: () => false,
};

export function addWorkspaceOAuth(app: FastifyInstance, context: OAuthContext): void {
  const server = context.authorizationServer;
  app.get('/v1/oauth/authorize', async (request, reply) => {
    const query = new URL(request.url, server.baseUrl).searchParams;
    if (query.get('owner') !== 'user')
      return refusePage(reply, 'Missing or invalid owner: it has to be "user".');
    query.set('scope', INNER_SCOPE);
    query.delete('prompt');
    query.set('redirect_uri_sent', String(query.has('redirect_uri')));
    return authorize(server, { request, reply, query });
  });
  app.get('/v1/oauth/authorize/:uid', (request, reply) =>
    authorize(server, { request, reply, query: new URLSearchParams() }),
  );

  app.post('/v1/oauth/token', async (request, reply) => {
    const { form, refusal } = await readTokenForm(server, request);
    return send(reply, refusal ?? (await exchange(context, form)));
  });
  app.post('/v1/oauth/revoke', async (request, reply) => {
    const { form, refusal } = readForm(request, ['token']);
    return send(reply, refusal ?? (await revoke(context, form)));
  });
}

async function exchange({ authorizationServer, dials }: OAuthContext, form: Form): Promise<OAuthReply> {
  const { status, body } = await authorizationServer.post('token', form);
  if (status !== 200) return oauthFailure(status, body);
  const access = await authorizationServer.access(String(body.access_token));
  if (access === undefined) return oauthFailure(500, { error: 'internal_server_error' });
  const life = typeof dials().tokenLifeSeconds === 'number' ? { expires_in: body.expires_in } : {};
  return {
    status,
    body: {
      access_token: body.access_token,
      token_type: 'bearer',
      refresh_token: body.refresh_token ?? null,
      ...life,
      ...identity(access.person, access.clientId),
      request_id: randomUUID(),
    },
  };
}

function identity(person: Person, clientId: string) {
  const { id, name } = workspaceOf(person);
  return {
    bot_id: botId(person, clientId),
    workspace_icon: null,
    workspace_name: name,
    workspace_id: id,
    owner: { type: 'user', user: personUser(person) },
    duplicated_template_id: null,
  };
}

async function revoke({ authorizationServer }: OAuthContext, form: Form): Promise<OAuthReply> {
  const { status, body } = await authorizationServer.post('revoke', form);
  if (status !== 200) return oauthFailure(status, body);
  return { status, body: { request_id: randomUUID() } };
}

function send(reply: FastifyReply, { status, body }: OAuthReply): FastifyReply {
  const headers = { 'cache-control': 'no-store', 'x-notion-request-id': String(body.request_id) };
  return reply.code(status).headers(headers).send(body);
}

function refusePage(reply: FastifyReply, message: string): FastifyReply {
  const content = `<h1>Invalid request</h1><p>${message}</p>`;
  return reply.code(400).type('text/html; charset=utf-8').send(page('Invalid request', content));
}
