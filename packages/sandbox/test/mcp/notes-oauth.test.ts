import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { REDIRECT_URI } from '../authorized.js';
import {
  bodyOf,
  type NotesClient,
  postForm,
  register,
  registeredClient,
  requestCode,
  tokenForm,
  tokensOf,
} from './notes-client.js';
import { initialize } from './session.js';

let sandbox: Sandbox;
let client: NotesClient;
let base: string;
beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['notesmcp'] });
  client = await registeredClient(sandbox);
  base = client.base;
});
afterAll(() => sandbox.stop());

const getJson = async (url: string) => bodyOf(await fetch(url));

describe('discovery of the authorization server', () => {
  test('starts with a request without a token and ends at the server metadata', async () => {
    const { status, headers } = await initialize(`${base}/mcp`, undefined);
    const [, url = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    const resource = await getJson(url);
    const server = await getJson(`${resource.authorization_servers[0]}/.well-known/openid-configuration`);

    expect(status).toBe(401);
    expect(resource).toMatchObject({ resource: `${base}/mcp`, scopes_supported: ['mcp'] });
    expect(server).toMatchObject({
      issuer: resource.authorization_servers[0],
      registration_endpoint: `${base}/auth/oauth2/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  test('returns an issuer that differs from the origin of the resource', async () => {
    expect((await getJson(`${base}/.well-known/oauth-protected-resource/mcp`)).authorization_servers).toEqual(
      [`${base}/auth`],
    );
  });
});

describe('dynamic client registration', () => {
  test('returns an id without a secret to a public client', async () => {
    const response = await register(sandbox);

    expect(response.status).toBe(201);
    const registered = await bodyOf(response);
    expect(registered).toMatchObject({
      client_id: expect.any(String),
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    });
    expect(registered).not.toHaveProperty('client_secret');
  });

  test.each([
    { title: 'an invalid redirect URI', metadata: { redirect_uris: ['nowhere'] } },
    { title: 'an unknown scope', metadata: { scope: 'everything' } },
  ])('refuses $title', async ({ metadata }) => {
    expect((await register(sandbox, metadata)).status).toBe(400);
  });
});

describe('the authorization endpoint', () => {
  test('returns the issuer with the code', async () => {
    const { redirected } = await requestCode(client);

    expect(redirected.get('state')).toBe('the state');
    expect(redirected.get('iss')).toBe(`${base}/auth`);
  });

  test.each([
    {
      title: 'a request without PKCE',
      params: { code_challenge: '', code_challenge_method: '' },
      error: 'invalid_request',
    },
    { title: 'a request without a resource', params: { resource: '' }, error: 'invalid_target' },
    { title: 'a resource with a trailing slash', slash: '/', error: 'invalid_target' },
  ])('refuses $title', async ({ params, slash, error }) => {
    const changed = params ?? { resource: `${base}/mcp${slash}` };

    expect((await requestCode(client, { params: changed })).redirected.get('error')).toBe(error);
  });

  test('issues no refresh token without offline_access', async () => {
    expect(await tokensOf(client, { params: { scope: 'mcp' } })).not.toHaveProperty('refresh_token');
  });
});

describe('OAuth tokens of the notes server', () => {
  const refresh = (token: string, form: Record<string, string> = {}) =>
    postForm(
      `${base}/auth/oauth2/token`,
      tokenForm(client, { grant_type: 'refresh_token', refresh_token: token, ...form }),
    );
  const statusWith = async (token: string) => (await initialize(`${base}/mcp`, token)).status;

  test('give access to the resource and rotate with every refresh', async () => {
    const first = await tokensOf(client);
    const second = await refresh(first.refresh_token);

    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 21600, scope: 'mcp' });
    expect(second).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } });
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(await statusWith(second.body.access_token)).toBe(200);
  });

  test('are revoked together when a rotated refresh token is reused', async () => {
    const first = await tokensOf(client);
    const { body } = await refresh(first.refresh_token);
    const again = await refresh(first.refresh_token);

    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await statusWith(body.access_token)).toBe(401);
  });

  test('are not refreshed without the resource or with another one', async () => {
    const { refresh_token } = await tokensOf(client);
    const without = await postForm(`${base}/auth/oauth2/token`, {
      client_id: client.clientId,
      grant_type: 'refresh_token',
      refresh_token,
    });

    expect(without).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
    expect(await refresh(refresh_token, { resource: base })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
  });

  test.each(['', 'offline_access', 'openid profile email offline_access'])(
    'give access to the resource with the requested scope "%s"',
    async (scope) => {
      const { access_token } = await tokensOf(client, { params: { scope } });

      expect(await statusWith(access_token)).toBe(200);
    },
  );

  test('give access to a client that registered without the scope of the resource', async () => {
    const { client_id: clientId } = await bodyOf(await register(sandbox, { scope: 'openid offline_access' }));
    const { access_token } = await tokensOf({ base, clientId }, { params: { scope: 'offline_access' } });

    expect(await statusWith(access_token)).toBe(200);
  });

  test('are signed with the algorithm in the metadata', async () => {
    const { id_token } = await tokensOf(client, { params: { scope: 'openid' } });
    const { alg } = JSON.parse(Buffer.from(id_token.split('.')[0], 'base64url').toString());

    expect(
      (await getJson(`${base}/auth/.well-known/openid-configuration`)).id_token_signing_alg_values_supported,
    ).toEqual([alg]);
  });

  test('require a form-encoded token request', async () => {
    const response = await fetch(`${base}/auth/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(tokenForm(client, { grant_type: 'refresh_token', refresh_token: 'x' })),
    });

    expect(response.status).toBe(400);
    expect(await bodyOf(response)).toMatchObject({ error: 'invalid_request' });
  });

  test('are refused with insufficient_scope if they lack the scope of the resource', async () => {
    const { access_token } = await tokensOf(client, { untick: 'mcp' });
    const { status, headers } = await initialize(`${base}/mcp`, access_token);

    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toMatch(/error="insufficient_scope", scope="mcp"/);
  });
});
