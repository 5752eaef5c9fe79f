import { describe, expect, test } from 'vitest';
import {
  approvedParams,
  authorizationLink,
  callApi,
  connect,
  endpointsOf,
  requestToken,
  type TokenClient,
} from '../authorized.js';
import { codeFor, exchange, probe, refresh, register, sandbox, useSandbox } from './setup.js';

useSandbox();

describe('the OAuth server of the workspace', () => {
  const post = (path: string, client: TokenClient, body: object) =>
    callApi(`${sandbox.upstream('workspace').baseUrl}${path}`, 'POST', {
      token: '',
      body,
      headers: {
        authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
      },
    });

  test('returns the workspace, the bot and the user without an expiry', async () => {
    const client = await register('workspace');
    const { body } = await exchange('workspace', client, { code: await codeFor('workspace', client) });
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ntn_/),
      token_type: 'bearer',
      refresh_token: expect.stringMatching(/^nrt_/),
      bot_id: expect.any(String),
      workspace_id: expect.any(String),
      workspace_name: "Ada Lovelace's Workspace",
      workspace_icon: null,
      owner: {
        type: 'user',
        user: {
          object: 'user',
          id: expect.any(String),
          name: 'Ada Lovelace',
          avatar_url: null,
          type: 'person',
          person: { email: 'ada@example.com' },
        },
      },
      duplicated_template_id: null,
      request_id: expect.any(String),
    });
  });

  test('rotates refresh tokens and revokes the family when an old one is reused', async () => {
    const ada = await connect(sandbox, 'workspace');
    const second = await refresh('workspace', ada.client, ada.refreshToken);
    expect(second.body.refresh_token).not.toBe(ada.refreshToken);
    expect(await probe('workspace', second.body.access_token)).toBe(200);
    expect((await refresh('workspace', ada.client, ada.refreshToken)).body).toMatchObject({
      error: 'invalid_grant',
      code: 'invalid_grant',
      object: 'error',
      status: 400,
    });
    expect(await probe('workspace', second.body.access_token)).toBe(401);
    expect((await refresh('workspace', ada.client, second.body.refresh_token)).body.error).toBe(
      'invalid_grant',
    );
  });

  test('treats two simultaneous refreshes as reuse', async () => {
    const ada = await connect(sandbox, 'workspace');
    const responses = await Promise.all([1, 2].map(() => refresh('workspace', ada.client, ada.refreshToken)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status, body } of responses)
      if (status === 200) expect(await probe('workspace', body.access_token)).toBe(401);
  });

  test('revokes the access token and the refresh token', async () => {
    const ada = await connect(sandbox, 'workspace');
    expect((await post('/v1/oauth/revoke', ada.client, { token: ada.token })).status).toBe(200);
    expect(await probe('workspace', ada.token)).toBe(401);
    expect((await refresh('workspace', ada.client, ada.refreshToken)).body.error).toBe('invalid_grant');
  });

  test.each([
    { title: 'without owner', params: { owner: '' } },
    { title: 'with another owner', params: { owner: 'workspace' } },
  ])('refuses an authorization $title', async ({ params }) => {
    const link = authorizationLink(sandbox, 'workspace', { client: await register('workspace'), params });
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(400);
  });

  test('requires the redirect URI in both requests or in none', async () => {
    const client = await register('workspace');
    const sent = await codeFor('workspace', client);
    expect(
      (
        await requestToken(sandbox, 'workspace', {
          client,
          form: { grant_type: 'authorization_code', code: sent },
        })
      ).body.error,
    ).toBe('invalid_request');
    const link = new URL(authorizationLink(sandbox, 'workspace', { client }));
    link.searchParams.delete('redirect_uri');
    const code = (await approvedParams(link.href)).get('code') ?? '';
    expect((await exchange('workspace', client, { code })).body.error).toBe('invalid_request');
    expect(
      (await requestToken(sandbox, 'workspace', { client, form: { grant_type: 'authorization_code', code } }))
        .status,
    ).toBe(200);
  });

  test('accepts token requests only as JSON and without unknown keys', async () => {
    const client = await register('workspace');
    const basic = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
    const form = await fetch(endpointsOf(sandbox, 'workspace').tokenEndpoint, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ grant_type: 'authorization_code' }),
    });
    expect(form.status).toBe(400);
    expect(
      (
        await post('/v1/oauth/token', client, {
          grant_type: 'authorization_code',
          code: 'x',
          client_id: client.clientId,
        })
      ).body.error,
    ).toBe('invalid_request');
  });
});
