import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as EarlierUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from '../support/mcp/agent.js';
import { createProvider } from '../support/mcp/client-provider.js';
import {
  addOther,
  agree,
  authorizeUrl,
  codeForm,
  createBrowser,
  createVerifier,
  grantTokens,
  openSignIn,
  postForm,
  reachConsent,
  SIGN_IN_URL,
  type Signing,
} from '../support/mcp/sign-in.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let signing: Signing;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar');
  signing = await openSignIn(service);
});

afterAll(() => service.stop());

const CLIENT = { name: 'test', version: '1.0.0' };
const CALENDARS = { name: 'calendar_list_calendars', arguments: {} };

test('G1: the client of 2026-07-28 gets from a 401 to a tool call', async () => {
  const { stored, provider } = createProvider(signing.clientId);
  const url = new URL(`${signing.resource}/calendar`);
  const connect = async () => {
    const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
    return { client, transport, connected: client.connect(transport) };
  };
  const first = await connect();
  await expect(first.connected).rejects.toThrow(UnauthorizedError);
  const back = await agree(signing, stored.url?.href ?? '');
  await first.transport.finishAuth(back.searchParams);
  const { client, connected } = await connect();
  await connected;
  expect(await client.callTool(CALENDARS)).toMatchObject({ structuredContent: { items: expect.any(Array) } });
  await client.close();
});

test('G1: the client of 2025-11-25 gets from a 401 to a tool call', async () => {
  const { stored, provider } = createProvider(signing.clientId);
  const url = new URL(signing.resource);
  const transport = new EarlierTransport(url, { authProvider: provider });
  await expect(new EarlierClient(CLIENT).connect(transport)).rejects.toThrow(EarlierUnauthorized);
  const back = await agree(signing, stored.url?.href ?? '');
  await transport.finishAuth(back.searchParams.get('code') ?? '');
  const client = new EarlierClient(CLIENT);
  await client.connect(new EarlierTransport(url, { authProvider: provider }));
  expect(await client.callTool(CALENDARS)).toMatchObject({ structuredContent: { items: expect.any(Array) } });
  await client.close();
});

describe('G1: dynamic client registration', () => {
  const METADATA = { client_name: 'Notebook', redirect_uris: ['http://localhost/callback'] };
  const register = (body: unknown, issuer = signing.issuer) =>
    fetch(`${issuer}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const letRegister = (registration: boolean) =>
    signing.application.call('PUT', '/v1/agent-access', { body: { signInUrl: SIGN_IN_URL, registration } });
  const open = (clientId: string, issuer = signing.issuer) =>
    createBrowser()(
      authorizeUrl({ ...signing, clientId, issuer }, createVerifier().challenge, {
        redirect_uri: 'http://localhost:7/callback',
        resource: undefined,
      }),
    );

  test('is off by default', async () => {
    expect((await register(METADATA)).status).toBe(404);
  });

  test('returns a client id that works at this application while registration is on', async () => {
    await letRegister(true);
    const reply = await register({ ...METADATA, application_type: 'native' });
    expect(reply.status).toBe(201);
    const client = (await reply.json()) as { client_id: string };
    expect(client).toMatchObject({ ...METADATA, token_endpoint_auth_method: 'none' });
    const { client_id: id } = client;
    expect((await open(id)).location).toContain('sign_in_ticket=');
    expect((await open(id.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')))).location).toBe('');
    const other = await addOther(service);
    await other.application.call('PUT', '/v1/agent-access', {
      body: { signInUrl: SIGN_IN_URL, registration: true },
    });
    expect((await open(id, `${service.url}/agents/${other.clientId}`)).location).toBe('');
    await letRegister(false);
    expect((await open(id)).location).toBe('');
  });

  test('shows the name of the client on the consent page as unverified', async () => {
    await letRegister(true);
    const registered = await register({ ...METADATA, client_name: 'Google' });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const browser = createBrowser();
    const redirect_uri = 'http://localhost:7/callback';
    const url = authorizeUrl({ ...signing, clientId }, createVerifier().challenge, { redirect_uri });
    const { text } = await browser(await reachConsent(signing, url, browser));
    const plain = text.replaceAll(/<\/?bdi>/g, '');
    expect(plain).toContain('A program that calls itself Google wants to act for you in Test application');
    expect(plain).toContain('Nobody has checked the name of the program.');
    expect(plain).not.toContain('Allow Google');
    await letRegister(false);
  });

  test('refuses the code of a registered client after registration is switched off', async () => {
    await letRegister(true);
    const { client_id: clientId } = (await (await register(METADATA)).json()) as { client_id: string };
    const { verifier, challenge } = createVerifier();
    const redirect_uri = 'http://localhost:7/callback';
    const back = await agree(signing, authorizeUrl({ ...signing, clientId }, challenge, { redirect_uri }));
    await letRegister(false);
    const form = codeForm({ ...signing, clientId }, back.searchParams.get('code') ?? '', verifier);
    expect(await postForm(`${signing.issuer}/token`, { ...form, redirect_uri })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test.each(['client_secret_post', 'client_secret_basic', 'private_key_jwt'])(
    'registers a public client even when it requests %s',
    async (token_endpoint_auth_method) => {
      await letRegister(true);
      const reply = await register({ ...METADATA, token_endpoint_auth_method });
      const client = (await reply.json()) as { client_id: string };
      expect([reply.status, client]).toMatchObject([201, { token_endpoint_auth_method: 'none' }]);
      expect(client).not.toHaveProperty('client_secret');
      expect((await open(client.client_id)).location).toContain('sign_in_ticket=');
      await letRegister(false);
    },
  );

  test.each([
    { name: 'Claude Code (calendar)', displayed: 'Claude Code (calendar)' },
    { name: 'Claude (claude.ai)', displayed: 'MCP client' },
    { name: 'Claude （claude．ai）', displayed: 'MCP client' },
  ])('shortens the client name $name to $displayed', async ({ name, displayed }) => {
    await letRegister(true);
    const reply = await register({ ...METADATA, client_name: name });
    expect(await reply.json()).toMatchObject({ client_name: displayed });
    await letRegister(false);
  });

  test.each([
    {
      title: 'a script as redirect URI',
      metadata: { redirect_uris: ['javascript:alert(1)'] },
      error: 'invalid_redirect_uri',
    },
    {
      title: 'a redirect URI that no header can contain',
      metadata: { redirect_uris: ['https://a.example/☃'] },
      error: 'invalid_redirect_uri',
    },
    {
      title: 'an empty list of redirect URIs',
      metadata: { redirect_uris: [] },
      error: 'invalid_redirect_uri',
    },
    {
      title: 'a string of redirect URIs',
      metadata: { redirect_uris: 'https://a.example/x' },
      error: 'invalid_redirect_uri',
    },
    {
      title: 'too many long redirect URIs',
      metadata: { redirect_uris: [1, 2, 3].map((n) => `https://a.example/${n}${'x'.repeat(900)}`) },
      error: 'invalid_client_metadata',
    },
  ])('refuses a client with $title', async ({ metadata, error }) => {
    await letRegister(true);
    const reply = await register({ ...METADATA, ...metadata });
    expect([reply.status, await reply.json()]).toEqual([400, expect.objectContaining({ error })]);
    await letRegister(false);
  });

  test('gives the number of a wrong redirect URI, and not its password', async () => {
    await letRegister(true);
    const redirect_uris = ['https://a.example/x', 'https://ada:hidden@a.example/x'];
    const { error_description } = (await (await register({ ...METADATA, redirect_uris })).json()) as {
      error_description: string;
    };
    expect(error_description).toContain('A redirect URI is invalid (number 2). ');
    expect(error_description).toContain('at most 1024 characters');
    expect(error_description).not.toContain('hidden');
    await letRegister(false);
  });
});

describe('G6: the token exchange', () => {
  const TYPE = 'urn:ietf:params:oauth:token-type:access_token';
  const exchange = (subject_token: string, more: Readonly<Record<string, string>> = {}) =>
    postForm(`${signing.issuer}/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token,
      subject_token_type: TYPE,
      client_id: signing.clientId,
      ...more,
    });
  const statusAt = async (token: string, path: string) =>
    (await runAgent(service, { method: 'tools/list' }, { token, path })).status;

  test('returns a token for one endpoint with the read scope', async () => {
    const { accessToken } = await grantTokens(signing);
    const resource = `${signing.resource}/calendar`;
    const { status, body } = await exchange(accessToken, { resource, scope: 'tools:read' });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ issued_token_type: TYPE, token_type: 'Bearer', scope: 'tools:read' }),
    ]);
    const token = body['access_token'] ?? '';
    const endpoint = new URL(signing.resource).pathname;
    expect([await statusAt(token, `${endpoint}/calendar`), await statusAt(token, endpoint)]).toEqual([
      200, 401,
    ]);
    const more = await exchange(token, { resource: signing.resource, scope: 'tools:write' });
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
    expect((await exchange(token, { scope: 'tools:write' })).body).toMatchObject({ scope: 'tools:read' });
  });

  test.each([
    { title: 'another client', more: { client_id: 'client_other' }, error: 'invalid_grant' },
    { title: 'an invalid token', more: { subject_token: 'x' }, error: 'invalid_grant' },
    { title: 'an unknown scope', more: { scope: 'everything' }, error: 'invalid_scope' },
    { title: 'another resource', more: { resource: 'https://evil.example' }, error: 'invalid_target' },
    { title: 'an actor', more: { actor_token: 'x' }, error: 'invalid_request' },
    {
      title: 'another type of its token',
      more: { subject_token_type: 'x' },
      error: 'invalid_request',
      says: 'The subject_token_type is not',
    },
    {
      title: 'another type of the new token',
      more: { requested_token_type: 'x' },
      error: 'invalid_request',
      says: 'The requested_token_type is not',
    },
  ])('refuses an exchange with $title', async ({ more, error, says = '' }) => {
    const { accessToken } = await grantTokens(signing);
    expect(await exchange(accessToken, more)).toMatchObject({
      status: 400,
      body: { error, error_description: expect.stringContaining(says) },
    });
  });

  test('refuses a chain of exchanges before its token becomes too long', async () => {
    let { accessToken: token } = await grantTokens(signing);
    let last = await exchange(token, { scope: 'tools:read' });
    for (let times = 0; times < 20 && last.status === 200; times += 1) {
      token = last.body['access_token'] ?? '';
      last = await exchange(token, { scope: 'tools:read' });
    }
    expect(last).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await statusAt(token, new URL(signing.resource).pathname)).toBe(200);
  });

  test('refuses the tokens of the application', async () => {
    const body = { identifier: 'user_42', expiresIn: 60 };
    const made = await signing.application.call('POST', '/v1/agent-tokens', { body });
    for (const token of [made.json<{ token: string }>().token, signing.application.accessToken])
      expect(await exchange(token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

test('G4: a deleted client cannot redeem its code', async () => {
  const own = await openSignIn(service);
  const { verifier, challenge } = createVerifier();
  const back = await agree(own, authorizeUrl(own, challenge));
  expect((await own.application.call('DELETE', `/v1/agent-clients/${own.clientId}`)).status).toBe(204);
  const form = codeForm(own, back.searchParams.get('code') ?? '', verifier);
  expect(await postForm(`${own.issuer}/token`, form)).toMatchObject({
    status: 400,
    body: {
      error: 'invalid_grant',
      error_description: expect.stringContaining('no longer accepts this MCP client'),
    },
  });
});
