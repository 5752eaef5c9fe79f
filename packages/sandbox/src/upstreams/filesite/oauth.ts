import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, uuidFrom } from '../../identifiers.js';
import type { OAuthReply } from '../../oauth/authorization-server.js';
import { authorize } from '../../oauth/authorize.js';
import { escapeHtml, page } from '../../oauth/page.js';
import type { OAuthProfile } from '../../oauth/profile.js';
import type { OAuthContext } from '../../upstream.js';
import { SCOPES } from './call.js';

const pathsOf = (tenant: string) => ({
  authorization: `/${tenant}/oauth2/v2.0/authorize`,
  token: `/${tenant}/oauth2/v2.0/token`,
});

/** Accepted tenants in OAuth paths: any account, any organization, or the tenant id of both seeded people. */
const TENANTS = ['common', 'organizations', uuidFrom('tenant')];

export const filesiteOAuth: OAuthProfile = {
  paths: pathsOf('organizations'),
  scopes: SCOPES,
  accessTokenSeconds: 3599,
  refreshTokenSeconds: 90 * 24 * 3600,
  rotates: true,
  acceptsUsedRefreshTokens: true,
  prefixes: { access: 'eyJ0eXAi.', refresh: '1.A' },
  extraParameters: ['domain_hint', 'login_hint'],
  hiddenRedirectParameters: ['iss'],
  newClient: () => ({ clientId: randomUUID(), clientSecret: randomToken(30) }),
  issuesRefreshToken: ({ params }) => String(params.scope).split(' ').includes('offline_access'),
  includesGrantedScopes: () => false,
};

export function addFilesiteOAuth(app: FastifyInstance, context: OAuthContext): void {
  for (const tenant of TENANTS) addTenant(app, tenant, context);
  app.get('/:tenant/oauth2/v2.0/authorize', (_request, reply) =>
    refusePage(reply, 'AADSTS90002: Tenant not found.'),
  );
  app.post('/:tenant/oauth2/v2.0/token', (_request, reply) =>
    send(reply, tokenError('unknownTenant', context.clock.now())),
  );
}

function addTenant(app: FastifyInstance, tenant: string, context: OAuthContext): void {
  const server = context.authorizationServer;
  const paths = pathsOf(tenant);
  app.get(paths.authorization, async (request, reply) => {
    const query = new URL(request.url, server.baseUrl).searchParams;
    const scopes = shortScopes(query.get('scope') ?? '');
    const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
    if (scopes.length === 0)
      return refusePage(
        reply,
        "AADSTS900144: The request body must contain the following parameter: 'scope'.",
      );
    if (unknown !== undefined)
      return refusePage(
        reply,
        `AADSTS650053: The application asked for scope '${unknown}' that doesn't exist.`,
      );
    query.set('scope', scopes.join(' '));
    // Forces the consent prompt, because the authorization server grants `offline_access` only with it. The consent
    // page appears every time anyway.
    if (query.get('prompt') !== 'none') query.set('prompt', 'consent');
    return authorize(server, { request, reply, query, path: filesiteOAuth.paths.authorization });
  });
  app.get(`${paths.authorization}/:uid`, (request, reply) =>
    authorize(server, { request, reply, query: new URLSearchParams() }),
  );
  app.post(paths.token, async (request, reply) => send(reply, await exchange(context, request)));
}

/**
 * Splits a scope list and removes the `https://graph.microsoft.com/` prefix, because the long and the short form are
 * equivalent.
 */
function shortScopes(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((scope) => scope !== '')
    .map((scope) => scope.replace(/^https:\/\/graph\.microsoft\.com\//, ''));
}

async function exchange(
  { authorizationServer, clock, dials }: OAuthContext,
  request: FastifyRequest,
): Promise<OAuthReply> {
  const { headers } = request;
  if (headers.origin !== undefined) return tokenError('crossOrigin', clock.now());
  const form = formOf(request);
  const missing = missingIn(form);
  if (form === undefined || missing !== undefined)
    return tokenError('missingParameter', clock.now(), missing);
  const client = headers.authorization === undefined ? {} : { authorization: headers.authorization };
  const { status, body } = await authorizationServer.post('token', form, client);
  if (status !== 200) {
    const hasEnded = await authorizationServer.hasRefreshTokenEnded(form.refresh_token ?? '');
    return hasEnded ? tokenError('endedToken', clock.now()) : toTokenError(body.error, form, clock.now());
  }
  const life =
    dials().tokenLifeSeconds === null ? {} : { expires_in: body.expires_in, ext_expires_in: body.expires_in };
  return {
    status,
    body: {
      token_type: 'Bearer',
      scope: body.scope,
      ...life,
      access_token: body.access_token,
      ...(body.refresh_token === undefined ? {} : { refresh_token: body.refresh_token }),
      ...(body.id_token === undefined ? {} : { id_token: body.id_token }),
    },
  };
}

function formOf({ headers, body }: FastifyRequest): Record<string, string> | undefined {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return undefined;
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  const scope = form.get('scope');
  if (scope !== null) form.set('scope', shortScopes(scope).join(' '));
  return Object.fromEntries(form);
}

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
};

function missingIn(form: Record<string, string> = {}): string | undefined {
  const needed = ['grant_type', ...(NEEDED[form.grant_type ?? ''] ?? [])];
  return needed.find((name) => (form[name] ?? '') === '');
}

function refusePage(reply: FastifyReply, message: string): FastifyReply {
  const content = `<h1>Sorry, but we’re having trouble signing you in.</h1><p>${escapeHtml(message)}</p>`;
  return reply.code(400).type('text/html; charset=utf-8').send(page('Sign in to your account', content));
}

function send(reply: FastifyReply, { status, body }: OAuthReply): FastifyReply {
  return reply.code(status).headers({ 'cache-control': 'no-store, no-cache', pragma: 'no-cache' }).send(body);
}

const KNOWN = {
  missingParameter: ['invalid_request', 900144, 'The request body must contain the following parameter:'],
  crossOrigin: [
    'invalid_request',
    9002326,
    "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
  ],
  unknownTenant: [
    'invalid_request',
    90002,
    'Tenant not found. Check to make sure you have the correct tenant ID.',
  ],
  expiredCode: [
    'invalid_grant',
    70008,
    'The provided authorization code or refresh token has expired due to inactivity.',
  ],
  endedToken: ['invalid_grant', 700082, 'The refresh token has expired due to inactivity.'],
  revokedGrant: [
    'invalid_grant',
    50173,
    'The provided grant has expired due to it being revoked. The user might have changed or reset their password.',
  ],
  invalidClient: ['invalid_client', 7000215, 'Invalid client secret provided.'],
  unsupportedGrant: ['unsupported_grant_type', 70003, 'The app requested an unsupported grant type.'],
  invalidScope: ['invalid_scope', 70011, "The provided value for the input parameter 'scope' is not valid."],
} as const;

function tokenError(name: keyof typeof KNOWN, now: number, parameter?: string): OAuthReply {
  const [error, number, text] = KNOWN[name];
  const about = parameter === undefined ? '' : ` '${parameter}'.`;
  const [traceId, correlationId] = [randomUUID(), randomUUID()];
  const timestamp = `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}Z`;
  const description = `AADSTS${number}: ${text}${about} Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`;
  return {
    status: error === 'invalid_client' ? 401 : 400,
    body: {
      error,
      error_description: description,
      error_codes: [number],
      timestamp,
      trace_id: traceId,
      correlation_id: correlationId,
    },
  };
}

function toTokenError(error: unknown, form: Record<string, string>, now: number): OAuthReply {
  switch (error) {
    case 'invalid_grant':
      return tokenError(form.grant_type === 'refresh_token' ? 'revokedGrant' : 'expiredCode', now);
    case 'invalid_client':
    case 'unauthorized_client':
      return tokenError('invalidClient', now);
    case 'unsupported_grant_type':
      return tokenError('unsupportedGrant', now);
    case 'invalid_scope':
      return tokenError('invalidScope', now);
    default:
      return tokenError('missingParameter', now, 'client_id');
  }
}
