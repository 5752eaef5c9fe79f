import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken } from '../identifiers.js';
import type { OAuthReply } from '../oauth/authorization-server.js';
import { authorize } from '../oauth/authorize.js';
import { escapeHtml, page } from '../oauth/page.js';
import type { OAuthProfile } from '../oauth/profile.js';
import type { OAuthContext } from '../upstream.js';

const PROFILE: Omit<OAuthProfile, 'scopes'> = {
  paths: { authorization: '/o/oauth2/v2/auth', token: '/token', revocation: '/revoke' },
  accessTokenSeconds: 3599,
  rotates: false,
  mostRefreshTokens: 100,
  prefixes: { access: 'ya29.', refresh: '1//0' },
  extraParameters: ['access_type', 'include_granted_scopes', 'login_hint', 'hd', 'enable_granular_consent'],
  hiddenRedirectParameters: ['iss', 'error_description'],
  newClient: () => ({
    clientId: `${randomBytes(4).readUInt32BE()}-${randomBytes(16).toString('hex')}.apps.googleusercontent.com`,
    clientSecret: `GOCSPX-${randomToken(21)}`,
  }),
  issuesRefreshToken({ params, returning }) {
    if (params.access_type !== 'offline') return false;
    return (
      !returning ||
      String(params.prompt ?? '')
        .split(' ')
        .includes('consent')
    );
  },
  includesGrantedScopes: ({ params }) => params.include_granted_scopes === 'true',
};

export function googleOAuth(scopes: OAuthProfile['scopes']): OAuthProfile {
  return { ...PROFILE, scopes };
}

export function addGoogleOAuth(app: FastifyInstance, context: OAuthContext): void {
  const server = context.authorizationServer;
  app.get('/o/oauth2/v2/auth', async (request, reply) => {
    const query = new URL(request.url, server.baseUrl).searchParams;
    const problem = authorizationProblem(query, server.profile.scopes);
    if (problem !== undefined) return refusePage(reply, problem);
    return authorize(server, { request, reply, query });
  });
  app.get('/o/oauth2/v2/auth/:uid', (request, reply) =>
    authorize(server, { request, reply, query: new URLSearchParams() }),
  );

  app.post('/token', async (request, reply) => {
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      return send(reply, refusal(400, 'invalid_request', 'The body has to be form-encoded.'));
    }
    return send(reply, await exchange(context, formOf(request), request.headers.authorization));
  });
  app.post('/revoke', async (request, reply) => {
    const token = formOf(request).token ?? new URL(request.url, server.baseUrl).searchParams.get('token');
    if (token === null || token === '')
      return send(reply, refusal(400, 'invalid_request', 'Missing required parameter: token'));
    const revoked = await server.revoke(token);
    return send(
      reply,
      revoked ? { status: 200, body: {} } : refusal(400, 'invalid_token', 'Token expired or revoked'),
    );
  });
}

interface Problem {
  readonly error: string;
  readonly message: string;
}

function authorizationProblem(query: URLSearchParams, scopes: OAuthProfile['scopes']): Problem | undefined {
  const scope = query.get('scope')?.trim() ?? '';
  if (scope === '') return { error: 'invalid_request', message: 'Missing required parameter: scope' };
  const unknown = scope.split(/\s+/).filter((name) => !Object.hasOwn(scopes, name));
  if (unknown.length > 0)
    return { error: 'invalid_scope', message: `Some requested scopes were invalid: ${unknown.join(', ')}` };
  const accessType = query.get('access_type');
  if (accessType !== null && accessType !== 'online' && accessType !== 'offline') {
    return { error: 'invalid_request', message: `Invalid parameter value for access_type: ${accessType}` };
  }
  return undefined;
}

function refusePage(reply: FastifyReply, { error, message }: Problem): FastifyReply {
  const content = `<h1>Access blocked: authorization error</h1><p>${escapeHtml(message)}</p><p>Error 400: <code>${error}</code></p>`;
  return reply.code(400).type('text/html; charset=utf-8').send(page('Error 400', content));
}

function formOf(request: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''),
  );
}

async function exchange(
  { authorizationServer, dials }: OAuthContext,
  form: Record<string, string>,
  authorization: string | undefined,
): Promise<OAuthReply> {
  const headers = authorization === undefined ? {} : { authorization };
  const { status, body } = await authorizationServer.post('token', form, headers);
  if (status !== 200) return tokenError(status, body, form);
  const isFirst = form.grant_type === 'authorization_code';
  return {
    status,
    body: {
      access_token: body.access_token,
      ...(dials().tokenLifeSeconds === null ? {} : { expires_in: body.expires_in }),
      ...(isFirst && body.refresh_token !== undefined ? { refresh_token: body.refresh_token } : {}),
      scope: body.scope,
      token_type: 'Bearer',
      ...(body.id_token === undefined ? {} : { id_token: body.id_token }),
    },
  };
}

function tokenError(
  status: number,
  { error, error_description: description }: Record<string, unknown>,
  form: Record<string, string>,
): OAuthReply {
  switch (error) {
    case 'invalid_grant':
      return refusal(
        400,
        error,
        form.grant_type === 'refresh_token' ? 'Token has been expired or revoked.' : 'Bad Request',
      );
    case 'invalid_client':
      return refusal(401, error, 'Unauthorized');
    case 'unsupported_grant_type':
      return refusal(400, error, `Invalid grant_type: ${form.grant_type ?? ''}`);
    default:
      return refusal(status, String(error), String(description ?? 'Bad Request'));
  }
}

function refusal(status: number, error: string, description: string): OAuthReply {
  return { status, body: { error, error_description: description } };
}

function send(reply: FastifyReply, { status, body }: OAuthReply): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-cache, no-store, max-age=0, must-revalidate')
    .send(body);
}
