import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignIn } from '../applications/sign-in.js';
import { ServiceError } from '../errors.js';
import { limitCalls } from '../front/limit-calls.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { fromFastifyError, retryAfterOf } from '../listener/error-reply.js';
import { named } from '../listener/list-schema.js';
import { isObject } from '../text/json-object.js';
import { isPlainText } from '../text/plain-text.js';
import { FORM_TYPE, takeForms } from './form.js';
import { limitRate } from './limit-rate.js';

interface TokenForm {
  readonly grant_type: string;
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** Schema of an OAuth error response (RFC 6749, section 5.2). */
const oauthError = {
  ...named(
    'OAuthError',
    {
      description:
        'The client, its secret or the request is invalid. The body has an error code of RFC 6749, and the header svc-error has an error code of this service.',
      type: 'object',
      additionalProperties: false,
      required: ['error', 'error_description'],
      properties: {
        error: {
          type: 'string',
          enum: ['invalid_request', 'invalid_client', 'unsupported_grant_type'],
          description:
            'Error code of RFC 6749. For too many requests, the code is invalid_request, because RFC 6749 has no code for them.',
        },
        error_description: { type: 'string', description: 'What happened and what to do.' },
      },
    },
    {
      error: 'invalid_client',
      error_description: 'The client id or the client secret is wrong. Correct them.',
    },
  ),
  headers: { 'svc-error': { $ref: '#/components/headers/svc-error' } },
};

const schema = {
  tags: ['authorization'],
  operationId: 'createAccessToken',
  summary: 'Get an access token for the application',
  description:
    'Uses the grant type `client_credentials` of RFC 6749, section 4.4. Send the client id and the client secret by HTTP Basic or in the form. Error responses have the format of RFC 6749, section 5.2.',
  consumes: FORM_TYPE,
  security: [{ clientSecret: [] }, {}],
  // Schema that allows additional properties, because the server must ignore unknown parameters (RFC 6749, section
  // 3.2).
  body: named(
    'AccessTokenRequest',
    {
      type: 'object',
      required: ['grant_type'],
      additionalProperties: true,
      properties: {
        grant_type: { type: 'string', examples: ['client_credentials'] },
        client_id: { type: 'string', description: 'Client id, unless HTTP Basic has it as the user name.' },
        client_secret: {
          type: 'string',
          description: 'Client secret, unless HTTP Basic has it as the password.',
        },
      },
    },
    { client_id: 'app_0193f2a8c4d17b3e9a5c6d7e8f901234', client_secret: 'svc_secret_Z9kq' },
  ),
  response: {
    200: named('AccessToken', {
      type: 'object',
      additionalProperties: false,
      required: ['access_token', 'token_type', 'expires_in'],
      properties: {
        access_token: { type: 'string', examples: ['svc_at_Q7xw'] },
        token_type: { const: 'Bearer', type: 'string' },
        expires_in: {
          type: 'integer',
          description: 'Seconds until the access token expires.',
          examples: [900],
        },
      },
    }),
    '4xx': oauthError,
  },
};

// Decodes the client id or secret of an HTTP Basic header. Clients must form-encode each before they join them (RFC
// 6749, section 2.3.1).
function decodeFormPart(part: string): string {
  return new URLSearchParams(`part=${part.replaceAll('&', '%26')}`).get('part') ?? '';
}

function basicCredentials(authorization: string): [string, string] | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  const [, id, clientSecret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return id === undefined || clientSecret === undefined
    ? undefined
    : [decodeFormPart(id), decodeFormPart(clientSecret)];
}

function clientCredentials(request: FastifyRequest<{ Body: TokenForm }>): [string, string] {
  const { client_id: id, client_secret: clientSecret } = request.body;
  const { authorization } = request.headers;
  if (authorization === undefined) return [id ?? '', clientSecret ?? ''];
  if (clientSecret !== undefined) {
    throw new ServiceError(
      'invalid_request',
      'The request contains two client secrets. Send one, either by HTTP Basic or in the form.',
    );
  }
  const credentials = basicCredentials(authorization) ?? ['', ''];
  if (credentials.every(isPlainText)) return credentials;
  throw new ServiceError(
    'invalid_request',
    'The client id or client secret contains a NUL character. Remove it.',
  );
}

// RFC 6749 forbids these two characters in `error_description`.
const toDescription = (message: string): string => message.replaceAll(/["\\]/g, "'");

// Sends client errors in the format of RFC 6749, section 5.2. Faults of the service (5xx) go to the server's general
// error handler.
export function sendTokenError(
  thrown: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = fromFastifyError(thrown, request);
  if (error.status >= 500) throw thrown;
  request.failure = error;
  const isClient = error.code === 'unauthorized';
  if (isClient) reply.header('www-authenticate', 'Basic realm="svc"');
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const code = isClient ? 'invalid_client' : error.code;
  return reply
    .code(isClient ? 401 : error.status)
    .headers({ 'cache-control': 'no-store', 'svc-error': code })
    .send({
      error: isClient ? code : (error.details?.['oauthError'] ?? 'invalid_request'),
      error_description: toDescription(error.message),
    });
}

/** Refuses a request without a grant type, such as one without a body, before the schema is checked. */
async function refuseWithoutGrant({ body }: FastifyRequest): Promise<void> {
  if (isObject(body) && Object.hasOwn(body, 'grant_type')) return;
  throw new ServiceError(
    'invalid_request',
    'The body has no grant_type. Send grant_type=client_credentials, the client id and the client secret as a form.',
  );
}

/**
 * Adds the OAuth token endpoint for applications in a separate Fastify plugin scope. Only this scope accepts form
 * bodies and responds with errors in the format of RFC 6749.
 */
export function addOAuthTokenRoute(
  app: FastifyInstance,
  {
    signIn,
    rateLimiter,
  }: { readonly signIn: Pick<SignIn, 'issueAccessToken'>; readonly rateLimiter: RateLimiter },
): void {
  app.register(async (scope) => {
    const limit = limitRate(limitCalls(rateLimiter));
    scope.setErrorHandler(sendTokenError);
    takeForms(scope);
    scope.addHook('preValidation', refuseWithoutGrant);

    scope.post<{ Body: TokenForm }>('/oauth/token', { schema }, async (request, reply) => {
      if (request.body.grant_type !== 'client_credentials') {
        throw new ServiceError(
          'invalid_request',
          'This "grant_type" is not supported. Use "client_credentials".',
          {
            oauthError: 'unsupported_grant_type',
          },
        );
      }
      const [clientId, clientSecret] = clientCredentials(request);
      // Only calls with the right secret count against the rate limit. Otherwise anybody could use up an application's
      // limit.
      const onVerified = (applicationId: string) => limit(request, reply, applicationId);
      if (rateLimiter.isUsedUp(clientId)) onVerified(clientId);
      const client = { clientId, clientSecret, address: request.address, onVerified };
      const { accessToken, expiresIn } = await signIn.issueAccessToken(client);
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn };
    });
  });
}
