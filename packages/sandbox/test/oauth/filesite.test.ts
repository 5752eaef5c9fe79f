import { expect, test } from 'vitest';
import { authorizationLink, callApi, connect, endpointsOf } from '../authorized.js';
import { codeFor, exchange, refresh, register, sandbox, useSandbox } from './setup.js';

useSandbox();

const probe = async (token: string): Promise<number> => {
  const url = `${sandbox.upstream('filesite').baseUrl}/v1.0/sites/root`;
  return (await callApi(url, 'GET', { token, headers: {} })).status;
};

test('an access token expires after one hour and has a refresh token only with offline_access', async () => {
  const client = await register('filesite');
  const { body } = await exchange('filesite', client, { code: await codeFor('filesite', client) });
  expect(body).toEqual({
    token_type: 'Bearer',
    scope: expect.stringContaining('Sites.ReadWrite.All'),
    expires_in: 3599,
    ext_expires_in: 3599,
    access_token: expect.any(String),
    refresh_token: expect.stringMatching(/^1\.A/),
  });
  expect(await probe(body.access_token)).toBe(200);
  await sandbox.clock.advance(3_600_000);
  expect(await probe(body.access_token)).toBe(401);
  const code = await codeFor('filesite', client, { scope: 'Sites.Read.All' });
  expect((await exchange('filesite', client, { code })).body).not.toHaveProperty('refresh_token');
});

test('a refresh returns a new refresh token and keeps the old one valid', async () => {
  const { client, refreshToken } = await connect(sandbox, 'filesite');
  const second = await refresh('filesite', client, refreshToken);
  expect(second.body.refresh_token).not.toBe(refreshToken);
  const third = await refresh('filesite', client, refreshToken);
  expect([third.status, third.body.refresh_token]).toEqual([200, expect.any(String)]);
  expect((await refresh('filesite', client, second.body.refresh_token)).status).toBe(200);
});

test('a refresh token expires after 90 days without use, and the token from a refresh stays valid', async () => {
  const DAY = 24 * 3_600_000;
  const { client, refreshToken } = await connect(sandbox, 'filesite');
  await sandbox.clock.advance(89 * DAY);
  const second = await refresh('filesite', client, refreshToken);
  await sandbox.clock.advance(2 * DAY);
  const late = await refresh('filesite', client, refreshToken);
  expect(late.status).toBe(400);
  expect(late.body).toMatchObject({ error: 'invalid_grant', error_codes: [700082] });
  expect((await refresh('filesite', client, second.body.refresh_token)).status).toBe(200);
});

test('a revoked refresh token is refused with an AADSTS error', async () => {
  const { client, refreshToken } = await connect(sandbox, 'filesite');
  await sandbox.revokeGrants('filesite');
  const { status, body } = await refresh('filesite', client, refreshToken);
  expect(status).toBe(400);
  expect(body).toEqual({
    error: 'invalid_grant',
    error_description: expect.stringMatching(/^AADSTS50173: /),
    error_codes: [50173],
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
    trace_id: expect.any(String),
    correlation_id: expect.any(String),
  });
});

test.each([
  { title: 'a JSON body', headers: { 'content-type': 'application/json' }, path: '', number: 900144 },
  { title: 'an Origin header', headers: { origin: 'http://localhost:3000' }, path: '', number: 9002326 },
  { title: 'an unknown tenant', headers: {}, path: '/nowhere/oauth2/v2.0/token', number: 90002 },
  { title: 'a wrong secret', headers: {}, path: '', number: 7000215 },
])('a token request with $title is refused', async ({ headers, path, number }) => {
  const { clientId } = await register('filesite');
  const { tokenEndpoint } = endpointsOf(sandbox, 'filesite');
  const form = {
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: clientId,
    client_secret: 'wrong',
  };
  const response = await fetch(path === '' ? tokenEndpoint : sandbox.upstream('filesite').baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
  expect(await response.json()).toMatchObject({ error_codes: [number] });
});

test.each([
  { form: {}, missing: 'grant_type' },
  { form: { grant_type: 'authorization_code' }, missing: 'code' },
  { form: { grant_type: 'authorization_code', code: 'x' }, missing: 'redirect_uri' },
  { form: { grant_type: 'refresh_token' }, missing: 'refresh_token' },
])('a token request without $missing names the missing parameter', async ({ form, missing }) => {
  const { clientId, clientSecret } = await register('filesite');
  const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret });
  const response = await fetch(endpointsOf(sandbox, 'filesite').tokenEndpoint, { method: 'POST', body });
  expect(await response.json()).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining(`parameter: '${missing}'.`),
  });
});

test('the common endpoint accepts users of organizations', async () => {
  const { client, refreshToken } = await connect(sandbox, 'filesite');
  const { tokenEndpoint } = endpointsOf(sandbox, 'filesite');
  const response = await fetch(tokenEndpoint.replace('/organizations/', '/common/'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }),
  });
  expect(await response.json()).toMatchObject({ token_type: 'Bearer' });
});

test.each([
  { title: 'no scope', params: { scope: '' } },
  { title: 'an unknown scope', params: { scope: 'Everything.All' } },
])('an authorization with $title is refused', async ({ params }) => {
  const link = authorizationLink(sandbox, 'filesite', { client: await register('filesite'), params });
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(400);
});

test('an unknown tenant gets an error page with its AADSTS code', async () => {
  const link = authorizationLink(sandbox, 'filesite', { client: await register('filesite') });
  const response = await fetch(link.replace('/organizations/', '/nowhere/'), { redirect: 'manual' });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('AADSTS90002')]);
});
