import { expect, test } from 'vitest';
import type { AuthorizationServer } from './authorization-server.js';
import { authorizationUrl } from './authorization-url.js';

const server: AuthorizationServer = {
  connector: 'mail',
  issuer: undefined,
  authorizationEndpoint: 'https://auth.example.com/authorize',
  tokenEndpoint: 'https://auth.example.com/token',
  revocationEndpoint: undefined,
  authorizationParameters: {},
  tokenRequest: { body: 'form', clientAuthentication: 'body', headers: {} },
};
const request = {
  clientId: 'client',
  redirectUri: 'https://svc.example.com/sso/v1/oauth/conn_1/callback',
  scopes: ['read', 'write'],
  state: 'state',
  codeChallenge: 'challenge',
};
const OURS = {
  response_type: 'code',
  client_id: 'client',
  redirect_uri: request.redirectUri,
  scope: 'read write',
  state: 'state',
  code_challenge: 'challenge',
  code_challenge_method: 'S256',
};

const parametersOf = (change: Partial<AuthorizationServer>, changedRequest = request) => [
  ...new URL(authorizationUrl({ ...server, ...change }, changedRequest)).searchParams,
];

test('the authorization URL requests a code with PKCE', () => {
  expect(Object.fromEntries(parametersOf({}))).toEqual(OURS);
});

test('O17: an authorization URL keeps the query of the endpoint and adds the constant parameters', () => {
  const change = {
    authorizationEndpoint: 'https://auth.example.com/authorize?tenant=a%20b',
    authorizationParameters: { prompt: 'consent' },
  };
  expect(Object.fromEntries(parametersOf(change))).toEqual({ ...OURS, tenant: 'a b', prompt: 'consent' });
});

test.each(Object.keys(OURS))('O17: neither the endpoint nor a constant can override %s', (name) => {
  const parameters = parametersOf({
    authorizationEndpoint: `https://auth.example.com/authorize?${name}=evil&${name}=twice`,
    authorizationParameters: { [name]: 'evil' },
  });
  expect(parameters).toHaveLength(Object.keys(OURS).length);
  expect(Object.fromEntries(parameters)).toEqual(OURS);
});

test.each(['request', 'request_uri', 'response_mode', 'nonce'])(
  'O17: the parameter %s of the endpoint is dropped because it could override others',
  (name) => {
    const change = { authorizationEndpoint: `https://auth.example.com/authorize?${name}=evil` };
    expect(Object.fromEntries(parametersOf(change))).toEqual(OURS);
  },
);

test('no scope parameter is sent without scopes', () => {
  const change = { authorizationEndpoint: 'https://auth.example.com/authorize?scope=all' };
  expect(parametersOf(change, { ...request, scopes: [] }).map(([name]) => name)).not.toContain('scope');
});

test('O15: the resource is sent exactly as configured, whatever the endpoint contains', () => {
  const resource = 'https://mcp.example.com';
  const change = { resource, authorizationEndpoint: 'https://auth.example.com/authorize?resource=evil' };
  expect(Object.fromEntries(parametersOf(change))).toEqual({ ...OURS, resource });
});
