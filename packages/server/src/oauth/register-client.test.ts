import { expect, test } from 'vitest';
import type { Fetch } from '../http/fetch.js';
import type { Discovered } from './discover.js';
import { createRegisterClient } from './register-client.js';

const ISSUER = 'https://auth.notes.example';
const discovered: Discovered = {
  server: {
    connector: 'mail',
    issuer: ISSUER,
    resource: 'https://mcp.notes.example/mcp',
    authorizationEndpoint: `${ISSUER}/authorize`,
    tokenEndpoint: `${ISSUER}/token`,
    revocationEndpoint: undefined,
    authorizationParameters: {},
    tokenRequest: { body: 'form', clientAuthentication: 'basic', headers: {} },
  },
  isFallback: false,
  announcesPkce: true,
  registrationEndpoint: `${ISSUER}/register`,
  takesClientMetadata: false,
  clientAuthentications: ['client_secret_post', 'none'],
  scopes: ['mcp', 'offline_access'],
};
const client = { name: 'Acme Notes', redirectUri: 'https://svc.example.com/sso/v1/oauth/conn_1/callback' };

function setUp(response: Response) {
  const sent: unknown[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, method: init?.method, redirect: init?.redirect, body: JSON.parse(String(init?.body)) });
    return response;
  };
  return { register: createRegisterClient({ fetch }), sent };
}

const PUBLIC = { token_endpoint_auth_method: 'none' };
const registered = { client_id: 'client_1', scope: 'mcp', redirect_uris: [client.redirectUri] };

test('O14: a public web client is registered for codes and refresh tokens', async () => {
  const { register, sent } = setUp(Response.json(registered, { status: 201 }));
  expect(await register(discovered, client)).toEqual({ ...registered, ...PUBLIC });
  expect(sent).toEqual([
    {
      url: `${ISSUER}/register`,
      method: 'POST',
      redirect: 'manual',
      body: {
        client_name: 'Acme Notes',
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        scope: 'mcp offline_access',
      },
    },
  ]);
});

test.each([
  { title: 'HTTP Basic', methods: ['private_key_jwt', 'client_secret_basic'], method: 'client_secret_basic' },
  { title: 'the request body', methods: ['client_secret_post'], method: 'client_secret_post' },
])(
  'O14: a client authenticates by $title when the server supports no public clients',
  async ({ methods, method }) => {
    const { register, sent } = setUp(Response.json(registered, { status: 201 }));
    await register({ ...discovered, clientAuthentications: methods }, client);
    expect(sent).toMatchObject([{ body: { token_endpoint_auth_method: method } }]);
  },
);

test.each([
  { title: 'without an expiry', end: {} },
  { title: 'with a null expiry', end: { client_secret_expires_at: null } },
])('a client secret $title never expires', async ({ end }) => {
  const response = { ...registered, client_secret: 'secret' };
  const { register } = setUp(Response.json({ ...response, ...end }, { status: 201 }));
  expect(await register(discovered, client)).toEqual({ ...response, ...PUBLIC, client_secret_expires_at: 0 });
});

test('a registration with a number as id and a text as expiry is understood', async () => {
  const response = {
    ...registered,
    client_id: 42,
    client_secret: 'secret',
    client_secret_expires_at: '1900000000',
  };
  const { register } = setUp(Response.json(response, { status: 201 }));
  expect(await register(discovered, client)).toMatchObject({
    client_id: '42',
    client_secret_expires_at: 1_900_000_000,
  });
});

test.each([null, '', ' '])('a registered client with the secret %j is public', async (none) => {
  const response = { ...registered, client_secret: none, client_secret_expires_at: none };
  const { register } = setUp(Response.json(response, { status: 201 }));
  expect(await register(discovered, client)).toEqual({ ...registered, ...PUBLIC });
});

test.each([
  { title: 'the response names no method', metadata: {}, method: 'client_secret_post' },
  {
    title: 'the response names another method',
    metadata: { token_endpoint_auth_method: 'client_secret_basic' },
    method: 'client_secret_basic',
  },
])('a registered client authenticates by $method when $title', async ({ metadata, method }) => {
  const response = { ...registered, client_secret: 'secret', ...metadata };
  const { register } = setUp(Response.json(response, { status: 201 }));
  const posting = { ...discovered, clientAuthentications: ['client_secret_post'] };
  expect(await register(posting, client)).toMatchObject({ token_endpoint_auth_method: method });
});

test.each([
  ['http://localhost:4400/callback', 'native'],
  ['http://127.0.0.1:4400/callback', 'native'],
  ['http://[::1]:4400/callback', 'native'],
  ['https://svc.localhost/callback', 'native'],
  ['https://svc.example.com/callback', 'web'],
  ['https://localhost.example.com/callback', 'web'],
])('a client with the redirect URI %s is registered as %s', async (redirectUri, type) => {
  const { register, sent } = setUp(Response.json(registered, { status: 201 }));
  await register(discovered, { ...client, redirectUri });
  expect(sent).toMatchObject([{ body: { application_type: type } }]);
});

test('a registration may succeed with 200 instead of 201', async () => {
  expect(await setUp(Response.json(registered)).register(discovered, client)).toMatchObject(registered);
});

test.each([
  {
    title: 'a refusal',
    response: Response.json({ error: 'invalid_redirect_uri' }, { status: 400 }),
    expected: {
      failure: 'refused',
      error: 'invalid_redirect_uri',
      message: expect.stringMatching(
        /error invalid_redirect_uri\. Register the "redirectUri" of the connection/,
      ),
    },
  },
  {
    title: 'a refusal with a custom error',
    response: Response.json({ error: 'canary', error_description: 'canary' }, { status: 400 }),
    expected: {
      failure: 'refused',
      error: 'other',
      message:
        'The authorization server refused the request with the error other. Check the OAuth client (client id, client secret, redirect URI and scopes), or let the user consent again.',
    },
  },
  {
    title: 'a redirect',
    response: new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }),
    expected: {
      failure: 'unusable',
      message: expect.stringMatching(/^The registration endpoint .+ redirect/),
    },
  },
  { title: 'an outage', response: new Response(null, { status: 503 }), expected: { failure: 'unavailable' } },
  {
    title: 'a response without a client id',
    response: Response.json({}, { status: 201 }),
    expected: { failure: 'unusable' },
  },
  {
    title: 'an unknown authentication method',
    response: Response.json(
      { ...registered, token_endpoint_auth_method: 'private_key_jwt' },
      { status: 201 },
    ),
    expected: { failure: 'unusable', message: expect.stringMatching(/authentication method other than/) },
  },
  {
    title: 'a client id with a NUL character',
    response: Response.json({ ...registered, client_id: 'a\0' }, { status: 201 }),
    expected: { failure: 'unusable' },
  },
  {
    title: 'an endless response',
    response: new Response('x'.repeat(65 * 1024), { status: 201 }),
    expected: { failure: 'unusable' },
  },
])('a failed registration reports $title', async ({ response, expected }) => {
  await expect(setUp(response).register(discovered, client)).rejects.toMatchObject(expected);
});

test.each([
  { title: 'without a registration endpoint', change: { registrationEndpoint: undefined } },
  { title: 'that supports only private_key_jwt', change: { clientAuthentications: ['private_key_jwt'] } },
])('no registration is sent to a server $title', async ({ change }) => {
  const { register, sent } = setUp(Response.json(registered));
  await expect(register({ ...discovered, ...change }, client)).rejects.toMatchObject({ failure: 'unusable' });
  expect(sent).toEqual([]);
});
