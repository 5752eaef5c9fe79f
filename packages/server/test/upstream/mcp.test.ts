import { AccountNotAuthorizedError, type ConnectedAccount, UpstreamError } from '@svc/core';
import { notesmcp } from '@svc/notesmcp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { signIn } from '../support/service/application.js';
import { connectApart } from '../support/service/connect-apart.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const ID = 'notesmcp';
const MCP = '/mcp';
const TOKEN = '/auth/oauth2/token';
const REGISTER = '/auth/oauth2/register';

let service: Service;

beforeAll(async () => {
  service = await startService({ connectors: [ID] });
});

afterAll(() => service.stop());

afterEach(() => service.sandbox.dials(ID, { mcpResponses: 'sse', mcpSpeaks: 'sessions' }));

const notes = (account: ConnectedAccount) => notesmcp(service.svc, account);
const connect = () => connectApart(service, ID);
const requestsTo = async (wanted: string) =>
  (await service.sandbox.requests(ID)).filter(({ path }) => path === wanted);

test('O15: consent, token request and tool calls name the same resource', async () => {
  await service.sandbox.clearRequests();
  const account = await connect();
  expect(account).toMatchObject({ status: 'authorized', scopes: ['mcp'] });
  const [token] = await requestsTo(TOKEN);
  expect(token?.body).toMatchObject({
    grant_type: 'authorization_code',
    resource: `${service.sandbox.upstream(ID).baseUrl}${MCP}`,
  });
});

test('O14: 50 simultaneous first users cause one registration', async () => {
  await service.sandbox.clearRequests();
  const first = await signIn(service);
  const connectionName = 'first-users';
  const { baseUrl } = service.sandbox.upstream(ID);
  await first.call('POST', '/v1/connections', { body: { connectionName, connector: ID, baseUrl } });
  const users = Array.from({ length: 50 }, (_, user) => `user_${user}`);
  await Promise.all(
    users.map((identifier) => service.svc.getAuthorizationLink({ connectionName, identifier })),
  );
  expect(await requestsTo(REGISTER)).toHaveLength(1);
});

test('a connection returns its redirect URI and nothing about the registered client', async () => {
  const { call } = await signIn(service);
  const connection = (await call('GET', `/v1/connections/${ID}`)).json<Record<string, unknown>>();
  expect(connection).toMatchObject({
    authType: 'mcp_oauth',
    redirectUri: expect.stringMatching(/\/callback$/),
    clientId: null,
    hasClientSecret: false,
  });
});

describe.each(['json', 'sse'] as const)('a tool result by %s', (mcpResponses) => {
  test('is unchanged and follows its progress notifications', async () => {
    await service.sandbox.dials(ID, { mcpResponses });
    const { data } = await notes(await connect()).queryMeetings({ query: 'What about the budget?' });
    expect(data.text).toMatch(/if a < b \[\[0\]\]\(https:\/\/notes\.granola\.ai\/d\/[0-9a-f-]{36}\)/);
    expect(data.content).toEqual([{ type: 'text', text: data.text }]);
  });
});

test('a tool error becomes an upstream error with its text and keeps the account authorized', async () => {
  const account = await connect();
  const meeting_id = '00000000-0000-4000-8000-000000000000';
  const error = await rejection(notes(account).getMeetingTranscript({ meeting_id }));
  expect(error).toBeInstanceOf(UpstreamError);
  expect(error).toMatchObject({
    status: 200,
    message: expect.stringContaining(`Meeting not found: ${meeting_id}`),
    body: { isError: true },
  });
  const { connectionName, identifier } = account;
  const { status } = await service.svc.getOrCreateConnectedAccount({ connectionName, identifier });
  expect(status).toBe('authorized');
});

test('O15: simultaneous calls with an expired token cause one refresh for the same resource', async () => {
  const account = await connect();
  await notes(account).listMeetings({});
  await service.sandbox.expireTokens(ID);
  await service.sandbox.clearRequests();
  const results = await Promise.all(Array.from({ length: 20 }, () => notes(account).listMeetings({})));
  expect(new Set(results.map(({ data }) => data.text)).size).toBe(1);
  const refreshes = await requestsTo(TOKEN);
  expect(refreshes.map(({ status, body }) => ({ status, body }))).toMatchObject([
    { status: 200, body: { grant_type: 'refresh_token', resource: expect.stringMatching(/\/mcp$/) } },
  ]);
});

test('each refresh uses the refresh token of the previous response', async () => {
  const account = await connect();
  await service.sandbox.clearRequests();
  for (let round = 0; round < 3; round += 1) {
    await service.sandbox.expireTokens(ID);
    await notes(account).listMeetings({});
  }
  const refreshes = await requestsTo(TOKEN);
  expect(refreshes.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a revoked grant requires reauthorization', async () => {
  const account = await connect();
  await service.sandbox.revokeGrants(ID);
  const error = await rejection(notes(account).listMeetings({}));
  expect(error).toBeInstanceOf(AccountNotAuthorizedError);
  expect(error).toMatchObject({ details: { status: 'reauthorization_required' } });
});

test('each account has its own session', async () => {
  await service.sandbox.clearRequests();
  const accounts = [await connectAccount(service, ID, 'ada'), await connectAccount(service, ID, 'grace')];
  for (const account of [...accounts, ...accounts]) await notes(account).listMeetings({});
  const calls = (await requestsTo(MCP)).filter(({ headers }) => headers['mcp-session-id'] !== undefined);
  expect(new Set(calls.map(({ headers }) => headers['mcp-session-id'])).size).toBe(2);
});

test('a call appears in the list of executions', async () => {
  const account = await connect();
  const { executionId } = await notes(account).listMeetings({});
  const { call } = await signIn(service);
  await expect
    .poll(async () => (await call('GET', '/v1/executions')).json<{ items: { id: string }[] }>().items)
    .toContainEqual(
      expect.objectContaining({
        id: executionId,
        toolName: 'notesmcp_list_meetings',
        status: 200,
        upstreamStatus: 200,
      }),
    );
});

describe.each(['json', 'sse'] as const)('a server without sessions, by %s', (mcpResponses) => {
  test('gets requests in its own revision', async () => {
    await service.sandbox.dials(ID, { mcpResponses, mcpSpeaks: 'stateless' });
    const account = await connect();
    await service.sandbox.clearRequests();
    const { data } = await notes(account).queryMeetings({ query: 'What about the budget?' });
    expect(data.text).toMatch(/budget/i);
    const requests = await requestsTo(MCP);
    expect(requests.map(({ headers }) => headers['mcp-method'])).toEqual([
      'server/discover',
      'tools/list',
      'tools/call',
    ]);
    expect(requests.every(({ headers }) => headers['mcp-protocol-version'] === '2026-07-28')).toBe(true);
  });
});

test('a server that switches its revision is still usable', async () => {
  const account = await connect();
  const list = async () => (await notes(account).listMeetings({})).data.text;
  const before = await list();
  for (const mcpSpeaks of ['stateless', 'sessions', 'stateless'] as const) {
    await service.sandbox.dials(ID, { mcpSpeaks });
    expect(await list()).toBe(before);
  }
});
