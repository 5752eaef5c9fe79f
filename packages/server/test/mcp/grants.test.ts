import { narrowToken } from '@svc/core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runAgent } from '../support/mcp/agent.js';
import {
  addOther,
  agree,
  authorizeUrl,
  codeForm,
  createVerifier,
  grantTokens,
  openSignIn,
  postForm,
  SIGN_IN_URL,
  type Signing,
} from '../support/mcp/sign-in.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let signing: Signing;
let endpoint: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'workspace'] });
  await connectAccount(service, 'calendar');
  signing = await openSignIn(service);
  endpoint = `/mcp/apps/${service.clientId}`;
});

afterAll(() => service.stop());
afterEach(() => {
  vi.useRealTimers();
});

const { challenge: CHALLENGE } = createVerifier();
const LIST = { method: 'tools/list' };
const call = (name: string, input: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: input },
});

/** Advances the clock by this many milliseconds. */
const passMs = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

describe('G4: an authorization code', () => {
  const exchange = (form: Readonly<Record<string, string>>) => postForm(`${signing.issuer}/token`, form);

  async function takeCode() {
    const { verifier, challenge } = createVerifier();
    const back = await agree(signing, authorizeUrl(signing, challenge));
    return codeForm(signing, back.searchParams.get('code') ?? '', verifier);
  }

  test('returns with the issuer and the state of the client', async () => {
    const back = await agree(signing, authorizeUrl(signing, CHALLENGE));
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      iss: signing.issuer,
      state: 'of the client',
    });
  });

  test.each([
    { title: 'another verifier', change: { code_verifier: createVerifier().verifier } },
    { title: 'no verifier', change: { code_verifier: '' } },
    { title: 'the challenge as its verifier', change: { code_verifier: CHALLENGE } },
    { title: 'another client', change: { client_id: `client_${'0'.repeat(24)}` } },
    { title: 'another redirect URI', change: { redirect_uri: 'http://127.0.0.1:1/callback' } },
    { title: 'another resource', change: { resource: 'https://evil.example/mcp' } },
  ])('is refused and used up with $title', async ({ change }) => {
    const form = await takeCode();
    expect(await exchange({ ...form, ...change })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: expect.stringContaining('does not match the authorization request'),
      },
    });
    expect(await exchange(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('revokes the tokens of its first exchange when it is presented again', async () => {
    const { accessToken, refreshToken, form } = await grantTokens(signing);
    expect((await runAgent(service, LIST, { token: accessToken, path: endpoint })).status).toBe(200);
    expect(await exchange(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await runAgent(service, LIST, { token: accessToken, path: endpoint })).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: signing.clientId };
    expect((await exchange(refresh)).status).toBe(400);
  });

  test('works at most once in 20 simultaneous exchanges', async () => {
    const form = await takeCode();
    const replies = await Promise.all(Array.from({ length: 20 }, () => exchange(form)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test('expires after a minute', async () => {
    const form = await takeCode();
    passMs(60_000);
    expect(await exchange(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('is refused by the issuer of another application and stays valid', async () => {
    const stranger = await addOther(service);
    await stranger.application.call('PUT', '/v1/agent-access', { body: { signInUrl: SIGN_IN_URL } });
    const form = await takeCode();
    const other = `${service.url}/agents/${stranger.clientId}/token`;
    expect(await postForm(other, form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await exchange(form)).status).toBe(200);
  });

  test('an unknown grant type is refused', async () => {
    const reply = await exchange({ grant_type: 'client_credentials' });
    expect(reply).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
    expect((await exchange({ grant_type: 'toString' })).body).toMatchObject({
      error: 'unsupported_grant_type',
    });
  });
});

describe('G5: a refresh token', () => {
  const refreshWith = (refresh_token: string, more: Readonly<Record<string, string>> = {}) =>
    postForm(`${signing.issuer}/token`, {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: signing.clientId,
      ...more,
    });

  test('returns the next refresh token', async () => {
    const { refreshToken } = await grantTokens(signing);
    const first = await refreshWith(refreshToken);
    expect(first).toMatchObject({ status: 200, body: { scope: 'tools:read tools:write' } });
    expect(
      (await runAgent(service, LIST, { token: first.body['access_token'] ?? '', path: endpoint })).status,
    ).toBe(200);
    expect((await refreshWith(first.body['refresh_token'] ?? '')).status).toBe(200);
  });

  test('revokes the whole token family when it is reused', async () => {
    const { accessToken, refreshToken } = await grantTokens(signing);
    const { body } = await refreshWith(refreshToken);
    expect(await refreshWith(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await refreshWith(body['refresh_token'] ?? '')).status).toBe(400);
    for (const token of [accessToken, body['access_token'] ?? ''])
      expect((await runAgent(service, LIST, { token, path: endpoint })).status).toBe(401);
  });

  test('stays valid when a forged one is presented', async () => {
    const { refreshToken } = await grantTokens(signing);
    const forged = refreshToken.replace(/\.1\./, '.2.');
    expect((await refreshWith(forged)).status).toBe(400);
    expect((await refreshWith(refreshToken, { client_id: 'client_other' })).status).toBe(400);
    expect((await refreshWith(refreshToken, { resource: `${service.url}/mcp` })).status).toBe(400);
    expect((await refreshWith(refreshToken)).status).toBe(200);
  });

  test('can narrow the scope and never widen it', async () => {
    const { refreshToken } = await grantTokens(signing, { scope: 'tools:read' });
    const more = await refreshWith(refreshToken, { scope: 'tools:read tools:write' });
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const whole = await grantTokens(signing);
    const less = await refreshWith(whole.refreshToken, { scope: 'tools:read' });
    expect(less.body['scope']).toBe('tools:read');
    const { message } = await runAgent(service, LIST, {
      token: less.body['access_token'] ?? '',
      path: endpoint,
    });
    expect(JSON.stringify(message.result)).not.toContain('"name":"calendar_delete_event"');
  });

  test('expires after 30 days without use', async () => {
    const { refreshToken } = await grantTokens(signing);
    passMs(30 * 86_400_000);
    expect((await refreshWith(refreshToken)).status).toBe(400);
  });

  test.each(['refreshToken', 'accessToken'] as const)(
    'revoking a %s revokes the whole grant',
    async (which) => {
      const tokens = await grantTokens(signing);
      const revoke = (more: Readonly<Record<string, string>>) =>
        postForm(`${signing.issuer}/revoke`, { token: tokens[which], ...more });
      expect((await revoke({ client_id: 'client_other' })).status).toBe(400);
      expect(await revoke({ client_id: signing.clientId })).toMatchObject({ status: 200, body: {} });
      expect((await runAgent(service, LIST, { token: tokens.accessToken, path: endpoint })).status).toBe(401);
      expect((await refreshWith(tokens.refreshToken)).status).toBe(400);
      expect((await revoke({ client_id: signing.clientId })).status).toBe(200);
    },
  );

  test('a narrowed token cannot revoke its parent', async () => {
    const { accessToken } = await grantTokens(signing);
    const part = await narrowToken(accessToken, { readOnly: true });
    const form = { token: part, client_id: signing.clientId };
    expect((await postForm(`${signing.issuer}/revoke`, form)).status).toBe(400);
    expect((await runAgent(service, LIST, { token: accessToken, path: endpoint })).status).toBe(200);
  });

  test('the application lists and revokes the grants of its users', async () => {
    const { accessToken } = await grantTokens(signing);
    const { application } = signing;
    const list = async () =>
      (await application.call('GET', '/v1/agent-grants?identifier=user_42')).json<{
        items: { id: string }[];
      }>().items;
    const [grant] = await list();
    expect(grant).toMatchObject({
      identifier: 'user_42',
      clientName: 'Desk helper',
      resource: signing.resource,
      scope: 'tools:read tools:write',
      revokedAt: null,
    });
    expect((await application.call('DELETE', `/v1/agent-grants/${grant?.id}`)).status).toBe(204);
    expect((await runAgent(service, LIST, { token: accessToken, path: endpoint })).status).toBe(401);
    expect((await list())[0]).toMatchObject({ id: grant?.id, revokedAt: expect.any(String) });
    expect((await application.call('DELETE', `/v1/agent-grants/${grant?.id}`)).status).toBe(404);
  });

  test('deleting a client revokes its grants', async () => {
    const own = await openSignIn(service);
    const { accessToken } = await grantTokens(own);
    expect((await own.application.call('DELETE', `/v1/agent-clients/${own.clientId}`)).status).toBe(204);
    expect((await runAgent(service, LIST, { token: accessToken, path: endpoint })).status).toBe(401);
  });
});

describe('G6: an access token of a client', () => {
  test('is accepted only at its resource', async () => {
    const resource = `${signing.resource}/calendar`;
    const { accessToken } = await grantTokens(signing, { resource });
    const statusAt = async (path: string) =>
      (await runAgent(service, LIST, { token: accessToken, path })).status;
    expect(await statusAt(`${endpoint}/calendar`)).toBe(200);
    for (const path of [endpoint, `${endpoint}/workspace`, '/mcp', '/mcp/calendar'])
      expect(await statusAt(path)).toBe(401);
    const stranger = await addOther(service);
    expect(await statusAt(`/mcp/apps/${stranger.clientId}/calendar`)).toBe(401);
    const headers = { authorization: `Bearer ${accessToken}` };
    const proxied = `${service.url}/v1/proxy/calendar/user_42/calendar/v3/users/me/calendarList`;
    expect((await fetch(proxied, { headers })).status).toBe(403);
    expect((await fetch(`${service.url}/v1/agent-grants`, { headers })).status).toBe(403);
  });

  test('expires after ten minutes', async () => {
    const { accessToken, body } = await grantTokens(signing);
    expect(body['expires_in']).toBe(600);
    passMs(601_000);
    expect((await runAgent(service, LIST, { token: accessToken, path: endpoint })).status).toBe(401);
  });

  test('has the limits of the agent access of the application', async () => {
    const limited = await openSignIn(service, { limits: { tools: ['calendar_list_calendars'] } });
    const { accessToken } = await grantTokens(limited);
    const { message } = await runAgent(service, LIST, { token: accessToken, path: endpoint });
    const tools = message.result?.['tools'] as readonly { readonly name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(['calendar_list_calendars']);
    await openSignIn(service);
  });

  test('counts calls like any other token', async () => {
    const { accessToken } = await grantTokens(signing);
    const once = await narrowToken(accessToken, { maxCalls: 1 });
    const callOnce = async () =>
      (await runAgent(service, call('calendar_list_calendars'), { token: once, path: endpoint })).message
        .result;
    expect(await callOnce()).not.toHaveProperty('isError');
    expect(await callOnce()).toMatchObject({ isError: true });
  });

  test.each([
    { title: 'a direct call', message: call('calendar_delete_event', { event_id: 'e' }) },
    {
      title: 'a call through call_tool',
      message: call('call_tool', { name: 'calendar_delete_event', arguments: { event_id: 'e' } }),
    },
  ])(
    'a client with the read scope gets 403 insufficient_scope with the required scopes: $title',
    async ({ message }) => {
      const { accessToken, body } = await grantTokens(signing, { scope: 'tools:read' });
      expect(body['scope']).toBe('tools:read');
      const { status, headers } = await runAgent(service, message, { token: accessToken, path: endpoint });
      expect(status).toBe(403);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="tools:read tools:write", resource_metadata="${service.url}/.well-known/oauth-protected-resource${endpoint}"`,
      );
    },
  );

  test('a read-only application responds without insufficient_scope', async () => {
    const limited = await openSignIn(service, { limits: { readOnly: true } });
    const { accessToken, body } = await grantTokens(limited);
    expect(body['scope']).toBe('tools:read');
    const { status } = await runAgent(service, call('calendar_delete_event'), {
      token: accessToken,
      path: endpoint,
    });
    expect(status).toBe(200);
    await openSignIn(service);
  });

  test('an application that removes its agent access issues no more tokens', async () => {
    const { refreshToken } = await grantTokens(signing);
    await signing.application.call('DELETE', '/v1/agent-access');
    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: signing.clientId };
    expect((await postForm(`${signing.issuer}/token`, refresh)).status).toBe(404);
    const access = await signing.application.call('GET', '/v1/agent-access');
    expect(access.json()).toMatchObject({ registration: false, limits: {} });
    expect((await signing.application.call('DELETE', '/v1/agent-access')).status).toBe(404);
    await openSignIn(service);
  });
});
