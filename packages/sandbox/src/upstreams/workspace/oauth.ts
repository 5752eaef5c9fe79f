import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken } from '../../identifiers.js';
import { isObject, parseJson } from '../../json.js';
import type { AuthorizationServer, OAuthReply } from '../../oauth/authorization-server.js';
import { authorize } from '../../oauth/authorize.js';
import { page } from '../../oauth/page.js';
import type { OAuthProfile } from '../../oauth/profile.js';
import type { Person } from '../../person.js';
import type { OAuthContext } from '../../upstream.js';
import { botId, personUser, workspaceOf } from './identity.js';

// The real service has no scopes, but the authorization library requires one. It never leaves the sandbox.
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

type Form = Readonly<Record<string, string>>;
interface FormResult {
  readonly form: Form;
  readonly refusal?: OAuthReply;
}

function readForm(request: FastifyRequest, allowed: readonly string[]): FormResult {
  const client = basicCredentials(request.headers.authorization);
  if (client === undefined) return refuse(401, 'invalid_client', 'Client credentials are missing.');
  const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  const body = isJson ? parseJson(text) : undefined;
  if (!isObject(body)) return refuse(400, 'invalid_request', 'The body has to be a JSON object.');
  const unknown = Object.keys(body).find((key) => !allowed.includes(key));
  if (unknown !== undefined) return refuse(400, 'invalid_request', `body.${unknown} should be not present.`);
  const texts = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { form: { ...Object.fromEntries(texts), ...client } };
}

const TOKEN_KEYS = 'grant_type code redirect_uri refresh_token code_verifier external_account'.split(' ');

/** Parses a token request. `redirect_uri` is required if the authorization URL had it, and rejected otherwise. */
async function readTokenForm(server: AuthorizationServer, request: FastifyRequest): Promise<FormResult> {
  const result = readForm(request, TOKEN_KEYS);
  const { form } = result;
  if (result.refusal !== undefined || form.grant_type !== 'authorization_code') return result;
  const code = await server.provider.AuthorizationCode.find(form.code ?? '', { ignoreExpiration: true });
  const consent = server.consents.get(code?.grantId ?? '');
  if (consent === undefined) return result;
  const wasSent = consent.params.redirect_uri_sent === 'true';
  if (wasSent === (form.redirect_uri !== undefined)) return result;
  const rule = wasSent
    ? 'should be defined, the authorization URL had it'
    : 'should be not present, the authorization URL had none';
  return refuse(400, 'invalid_request', `body.redirect_uri ${rule}.`);
}

function refuse(status: number, error: string, description: string): FormResult {
  return { form: {}, refusal: oauthFailure(status, { error, error_description: description }) };
}

// Builds an OAuth error with the fields of both formats, because the API description and the vendor's guide disagree.
function oauthFailure(
  status: number,
  { error, error_description: description }: Record<string, unknown>,
): OAuthReply {
  const message = description ?? error;
  return {
    status,
    body: {
      object: 'error',
      status,
      code: error,
      message,
      error,
      error_description: message,
      request_id: randomUUID(),
    },
  };
}

// Parses Basic credentials without URL decoding, because the real service does not decode them either.
function basicCredentials(
  header: string | undefined,
): { client_id: string; client_secret: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return secret.length === 0 ? undefined : { client_id: id, client_secret: secret.join(':') };
}
