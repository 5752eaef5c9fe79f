import { expect, test } from 'vitest';
import { createApp } from '../../test/support/service/create-app.js';
import { createServiceParts } from '../../test/support/service/service-parts.js';
import { createSignIn } from '../applications/sign-in.js';
import { createRateLimiter } from '../limits/rate-limiter.js';
import { createSignInLimits } from '../limits/sign-in-limits.js';
import { addOAuthTokenRoute } from './oauth-token-routes.js';
import { requireApplication } from './require-application.js';

const CLIENT = { clientId: 'app_given', clientSecret: 'given+secret%' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

async function createTokenApp() {
  const { applications, narrowedTokens, origins, now } = await createServiceParts();
  const signIn = createSignIn({ applications, narrowedTokens, signInLimits: createSignInLimits({ now }) });
  await applications.createFirstApplication({ name: 'First', ...CLIENT });
  const rateLimiter = createRateLimiter({ rate: { name: 'application', perSecond: 50 }, now: () => 0 });
  const app = await createApp(
    (own) => addOAuthTokenRoute(own, { signIn, rateLimiter }),
    (guarded) => {
      requireApplication(guarded, { signIn, origins, limitBearer: () => undefined });
      guarded.get('/whoami', async (request) => ({ applicationId: request.applicationId }));
    },
  );
  const token = (body: Record<string, string> | string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { ...FORM, ...headers },
      payload: new URLSearchParams(body).toString(),
    });
  return { app, token };
}

test.each([
  { title: 'HTTP Basic', form: {}, headers: basic(CLIENT.clientId, CLIENT.clientSecret) },
  {
    title: 'the form body',
    form: { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
    headers: {},
  },
  {
    title: 'HTTP Basic with unknown parameters',
    form: { scope: 'everything', audience: 'x' },
    headers: basic(CLIENT.clientId, CLIENT.clientSecret),
  },
])('an access token is issued for credentials in $title', async ({ form, headers }) => {
  const { app, token } = await createTokenApp();
  const reply = await token({ grant_type: 'client_credentials', ...form }, headers);
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.json()).toEqual({
    access_token: expect.stringMatching(/^svc_at_[\w-]{65}$/),
    token_type: 'Bearer',
    expires_in: 900,
  });
  const authorization = `Bearer ${reply.json().access_token}`;
  const whoami = await app.inject({ url: '/whoami', headers: { authorization } });
  expect(whoami.json()).toEqual({ applicationId: CLIENT.clientId });
  expect(whoami.headers['www-authenticate']).toBeUndefined();
});

test.each([
  { title: 'no body', payload: {} },
  { title: 'an empty form', payload: { headers: FORM, payload: '' } },
  { title: 'a form without a grant type', payload: { headers: FORM, payload: 'client_id=a' } },
])('the error for $title names the grant type to send', async ({ payload }) => {
  const { app } = await createTokenApp();
  const reply = await app.inject({ method: 'POST', url: '/oauth/token', ...payload });
  expect([reply.statusCode, reply.json()]).toEqual([
    400,
    {
      error: 'invalid_request',
      error_description:
        'The body has no grant_type. Send grant_type=client_credentials, the client id and the client secret as a form.',
    },
  ]);
});

test.each([
  {
    title: 'a wrong secret',
    form: {},
    headers: basic(CLIENT.clientId, 'wrong'),
    status: 401,
    error: 'invalid_client',
  },
  {
    title: 'an unknown client',
    form: {},
    headers: basic('app_x', 'wrong'),
    status: 401,
    error: 'invalid_client',
  },
  { title: 'no credentials', form: {}, headers: {}, status: 401, error: 'invalid_client' },
  {
    title: 'another scheme',
    form: {},
    headers: { authorization: 'Bearer x' },
    status: 401,
    error: 'invalid_client',
  },
  {
    title: 'Basic without a colon',
    form: {},
    headers: { authorization: 'Basic eA==' },
    status: 401,
    error: 'invalid_client',
  },
  {
    title: 'credentials given twice',
    form: { client_id: 'x', client_secret: 'y' },
    headers: basic(CLIENT.clientId, CLIENT.clientSecret),
    status: 400,
    error: 'invalid_request',
  },
  {
    title: 'another grant type',
    form: { grant_type: 'password' },
    headers: {},
    status: 400,
    error: 'unsupported_grant_type',
  },
  {
    title: 'JSON',
    form: {},
    headers: { 'content-type': 'application/json' },
    status: 400,
    error: 'invalid_request',
  },
])('a token request with $title gets $error', async ({ form, headers, status, error }) => {
  const { token } = await createTokenApp();
  const reply = await token({ grant_type: 'client_credentials', ...form }, headers);
  expect(reply.statusCode).toBe(status);
  expect(reply.json()).toEqual({ error, error_description: expect.any(String) });
  expect(reply.headers['cache-control']).toBe('no-store');
  const inWordsOfTheService = status === 401 ? 'invalid_client' : 'invalid_request';
  expect(reply.headers['svc-error']).toBe(inWordsOfTheService);
});

test('a duplicate parameter is refused', async () => {
  const { token } = await createTokenApp();
  const reply = await token('grant_type=client_credentials&grant_type=client_credentials');
  expect(reply.json()).toMatchObject({ error: 'invalid_request' });
});

test.each([
  { title: 'no token', headers: {} },
  { title: 'another scheme', headers: { authorization: 'Basic eDp5' } },
  { title: 'an unknown token', headers: { authorization: 'Bearer svc_at_unknown' } },
])('a protected route responds to $title with 401 and a Bearer challenge', async ({ headers }) => {
  const { app } = await createTokenApp();
  const reply = await app.inject({ url: '/whoami', headers });
  expect(reply.statusCode).toBe(401);
  expect(reply.headers['www-authenticate']).toBe('Bearer');
  expect(reply.json()).toMatchObject({ error: { code: 'unauthorized' } });
});
