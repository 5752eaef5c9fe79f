import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '../../src/errors.js';
import { mintToken, runAgent } from '../support/mcp/agent.js';
import { type Application, type CallOptions, fetchReply } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { type BeforeUpstream, PROXY_PATH, startBefore } from '../support/upstreams/start-before.js';

const READ = 'convintel_users_list';
const WRITE = 'convintel_webhook_create';
const WEBHOOK = { trigger: 'conversation_shared', url: 'https://hooks.example/a' };
const USER = { connectionName: 'played', identifier: 'user_42' };

/** Entry points of calls, whose codes differ. every-operation.ci.test.ts covers all operations. */
type EntryPoint = 'v1' | 'proxy' | 'mcp' | 'operator' | 'connect';
type Ending = 'answered' | 'refused' | 'broken' | 'silent';

let before: BeforeUpstream;
let application: Application;
let operator: SignedInOperator;
let reader: SignedInOperator;
let agentToken: string;
let readOnlyToken: string;
let busyToken: string;
let ending: Ending = 'answered';

const upstream = createServer((request, reply) => {
  request.resume();
  if (ending === 'broken') return void reply.destroy();
  if (ending === 'silent') return;
  const status = ending === 'refused' ? 403 : 200;
  reply.writeHead(status, { 'content-type': 'application/json' }).end('{}');
});

beforeAll(async () => {
  before = await startBefore(upstream, ['--rate-user', '20']);
  application = before.first;
  const { app, url } = before.service;
  operator = await signInOperator({ url, ...(await app.operators.create('ada', 'owner')) });
  reader = await signInOperator({ url, ...(await app.operators.create('grace', 'reader')) });
  agentToken = await mintToken(before.service, { connections: ['played'] });
  readOnlyToken = await mintToken(before.service, { readOnly: true });
  busyToken = await mintToken(before.service, { identifier: 'busy' });
});
afterAll(async () => {
  upstream.closeAllConnections();
  await before.stop();
});

const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get('svc-request-id') ?? '';

const open = (target: string, init: RequestInit = {}) =>
  fetchReply(before.service.url + target, init).then(idOf);
const send = (method: string, target: string, options: CallOptions = {}) =>
  application.call(method, target, options).then(idOf);
const operate = (method: string, below: string, options: CallOptions = {}, by = operator) =>
  by.call(method, `/applications/${before.service.clientId}${below}`, options).then(idOf);

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tool = (toolName: string, body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  send('POST', `/v1/tools/${toolName}/execute`, { body: { ...USER, toolInput: {}, ...body }, headers });
const operatedTool = (toolName: string, body: object = {}) =>
  operate('POST', `/tools/${toolName}/execute`, { body: { ...USER, toolInput: {}, ...body } });
const proxied = (below = '/users', method = 'GET', headers = {}) =>
  send(method, `${PROXY_PATH}${below}`, { headers });
const agent = (name: string, input: object = {}, token = agentToken) =>
  runAgent(before.service, { method: 'tools/call', params: { name, arguments: input } }, { token }).then(
    idOf,
  );

async function whileUpstream<Result>(is: Ending, work: () => Promise<Result>): Promise<Result> {
  ending = is;
  return work().finally(() => {
    ending = 'answered';
  });
}

async function whileAsking<Result>(work: () => Promise<Result>): Promise<Result> {
  const set = (value: 'always' | 'never') =>
    application.call('PATCH', '/v1/connections/played', { body: { approve: { default: value, tools: {} } } });
  await set('always');
  return work().finally(() => set('never'));
}

/** Denies the pending approvals of the application, then calls again. */
async function deny(call: () => Promise<string>): Promise<string> {
  await call();
  const { items } = (await application.call('GET', '/v1/approvals?status=pending')).json<{
    items: readonly { id: string }[];
  }>();
  for (const { id } of items)
    await application.call('POST', `/v1/approvals/${id}`, { body: { decision: 'deny' } });
  return call();
}

async function withoutAccess<Result>(work: () => Promise<Result>): Promise<Result> {
  await application.call('PUT', '/v1/connections/played/accounts/newcomer', { body: {} });
  return work().finally(() => application.call('DELETE', '/v1/connections/played/accounts/newcomer'));
}

/** Makes the service fail unexpectedly. */
async function whileBroken<Result>(work: () => Promise<Result>): Promise<Result> {
  const broken = vi.spyOn(before.service.app.connections, 'list').mockRejectedValue(new Error('a bug'));
  return work().finally(() => broken.mockRestore());
}

const AT_ONCE = 10;

/** Sends requests until a rate limit refuses one. Returns the id of that request. */
async function flood(
  call: () => Promise<{ readonly status: number; readonly headers: Headers }>,
): Promise<string> {
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, call));
  const refused = replies.find(({ status }) => status === 429);
  return refused ? idOf(refused) : flood(call);
}

async function sendRaw(sent: string, onOpen: (socket: Socket) => void = () => undefined): Promise<string> {
  const socket = connect(Number(new URL(before.service.url).port), '127.0.0.1');
  socket.once('connect', () => onOpen(socket));
  socket.write(sent);
  const [, requestId = ''] = /"requestId":"(req_[0-9a-f]+)"/.exec(await text(socket)) ?? [];
  return requestId;
}

/** Sends half of a request, and emits the timeout error directly, because Node.js takes seconds to find it. */
const sendSlowly = () => {
  const { server } = before.service.app.server;
  server.once('connection', (socket: Socket) => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    setImmediate(() => server.emit('clientError', late, socket));
  });
  return sendRaw('GET / HTTP/1.1\r\n');
};

const signInWrongly = () =>
  fetchReply(`${before.service.url}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'mallory', password: 'wrong' }),
  });

const linkOf = (connectionName: string) =>
  `/v1/connections/${connectionName}/accounts/ada/authorization-link`;

/** Creates a connection with OAuth. Returns the id of a request for a link of this connection. */
async function linkOfNew(connectionName: string, client: object = {}): Promise<string> {
  await send('POST', '/v1/connections', { body: { connectionName, connector: 'calendar', ...client } });
  return send('POST', linkOf(connectionName));
}

async function runSql(statement: string): Promise<void> {
  const { data, databaseUrl } = before.service;
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(path.join(data, 'svc.db'), { timeout: 5000 });
    database.exec(statement);
    return database.close();
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Marks the application production although it has no verify URL. Only data of another origin can be in this state. */
async function inProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  await runSql('update applications set production = 1');
  return work().finally(() => runSql('update applications set production = 0'));
}

const CLIENT = { clientId: 'client', clientSecret: 'secret' };
const COPY = { connectionName: 'played', connector: 'convintel' };
const NEW = { ...COPY, connector: 'none', connectionName: 'new' };
const LARGE = { text: 'a'.repeat(1.1 * 1024 * 1024) };
const WRONG = { toolInput: { wrong: 1 } };
const NEWCOMER = { identifier: 'newcomer' };
const UNKNOWN_ACCOUNT = { connectionName: undefined, identifier: undefined, connectedAccountId: 'acct_none' };

const CASES: readonly (readonly [EntryPoint, ErrorCode, () => Promise<string>])[] = [
  ['v1', 'invalid_request', () => send('GET', '/v1/connections?pageSize=none')],
  ['v1', 'invalid_input', () => tool(READ, WRONG)],
  ['v1', 'unknown_version', () => tool(READ, { schemaVersion: '9.0.0' })],
  ['v1', 'unauthorized', () => open('/v1/connections')],
  ['v1', 'not_permitted', () => tool(WRITE, { toolInput: WEBHOOK }, bearer(readOnlyToken))],
  ['v1', 'approval_required', () => whileAsking(() => tool(READ, { toolInput: {} }))],
  ['v1', 'approval_denied', () => whileAsking(() => deny(() => tool(WRITE, { toolInput: WEBHOOK })))],
  [
    'v1',
    'origin_not_allowed',
    () => send('GET', '/v1/connections', { headers: { origin: 'https://x.example' } }),
  ],
  ['v1', 'not_found', () => send('GET', '/v1/approvals/appr_none')],
  ['v1', 'connector_not_found', () => send('POST', '/v1/connections', { body: NEW })],
  ['v1', 'connection_not_found', () => send('GET', '/v1/connections/none')],
  ['v1', 'account_not_found', () => tool(READ, UNKNOWN_ACCOUNT)],
  ['v1', 'account_not_found', () => send('GET', '/v1/connections/played/accounts/nobody')],
  ['v1', 'tool_not_found', () => tool('convintel_none')],
  ['v1', 'method_not_allowed', () => send('PATCH', '/v1/connections')],
  ['v1', 'request_timeout', sendSlowly],
  ['v1', 'conflict', () => send('POST', '/v1/connections', { body: COPY })],
  ['v1', 'connection_not_configured', () => linkOfNew('unset')],
  ['v1', 'application_not_configured', () => inProduction(() => linkOfNew('set', CLIENT))],
  ['v1', 'account_not_authorized', () => withoutAccess(() => tool(READ, NEWCOMER))],
  ['v1', 'payload_too_large', () => tool(READ, { toolInput: LARGE })],
  [
    'v1',
    'idempotency_mismatch',
    async () => {
      const headers = { 'idempotency-key': 'key_1' };
      await tool(WRITE, { toolInput: WEBHOOK }, headers);
      return tool(WRITE, { toolInput: { ...WEBHOOK, url: 'https://hooks.example/b' } }, headers);
    },
  ],
  [
    'v1',
    'rate_limited',
    () => flood(() => fetchReply(`${before.service.url}/v1/tools`, { headers: bearer(busyToken) })),
  ],
  [
    'v1',
    'headers_too_large',
    () => sendRaw(`GET /v1/tools HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`),
  ],
  ['v1', 'internal_error', () => whileBroken(() => send('GET', '/v1/connections'))],
  ['v1', 'upstream_failed', () => whileUpstream('refused', () => tool(READ))],
  ['v1', 'connection_failed', () => whileUpstream('broken', () => tool(WRITE, { toolInput: WEBHOOK }))],

  ['proxy', 'invalid_request', () => send('GET', '/v1/proxy/played')],
  ['proxy', 'unauthorized', () => open(`${PROXY_PATH}/users`)],
  ['proxy', 'forbidden', () => whileAsking(() => proxied('/webhooks', 'POST'))],
  ['proxy', 'not_permitted', () => proxied('/webhooks', 'POST', bearer(readOnlyToken))],
  ['proxy', 'origin_not_allowed', () => proxied('/users', 'GET', { origin: 'https://x.example' })],
  ['proxy', 'connection_not_found', () => send('GET', '/v1/proxy/none/ada/users')],
  ['proxy', 'account_not_authorized', () => send('GET', '/v1/proxy/played/newcomer/users')],
  [
    'proxy',
    'rate_limited',
    () =>
      flood(() =>
        fetchReply(`${before.service.url}/v1/proxy/played/busy/users`, { headers: bearer(busyToken) }),
      ),
  ],
  [
    'proxy',
    'websockets_not_supported',
    () =>
      sendRaw(
        `GET ${PROXY_PATH}/users HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${application.accessToken}\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n`,
      ),
  ],
  ['proxy', 'connection_failed', () => whileUpstream('broken', () => proxied('/users', 'POST'))],

  ['mcp', 'unauthorized', () => agent(READ, {}, 'svc_at_wrong')],
  ['mcp', 'tool_not_found', () => agent('convintel_none')],
  ['mcp', 'invalid_input', () => agent(READ, { wrong: 1 })],
  ['mcp', 'approval_required', () => whileAsking(() => agent(READ))],
  ['mcp', 'upstream_failed', () => whileUpstream('refused', () => agent(READ))],
  ['mcp', 'connection_failed', () => whileUpstream('broken', () => agent(WRITE, WEBHOOK))],

  ['operator', 'invalid_request', () => operate('GET', '/connections?pageSize=none')],
  ['operator', 'invalid_input', () => operatedTool(READ, WRONG)],
  ['operator', 'unauthorized', () => open('/operator/v1/applications')],
  ['operator', 'forbidden', () => operate('POST', '/connections', { body: NEW }, reader)],
  ['operator', 'not_found', () => operator.call('GET', '/applications/app_none').then(idOf)],
  ['operator', 'not_found', () => operate('GET', '/executions/exec_none')],
  ['operator', 'connector_not_found', () => operate('POST', '/connections', { body: NEW })],
  ['operator', 'connection_not_found', () => operate('GET', '/connections/none')],
  ['operator', 'account_not_found', () => operate('GET', '/accounts/acct_none')],
  ['operator', 'tool_not_found', () => operatedTool('convintel_none')],
  ['operator', 'unknown_version', () => operatedTool(READ, { schemaVersion: '9.0.0' })],
  ['operator', 'method_not_allowed', () => operator.call('PATCH', '/session').then(idOf)],
  ['operator', 'conflict', () => operate('POST', '/connections', { body: COPY })],
  ['operator', 'account_not_authorized', () => withoutAccess(() => operatedTool(READ, NEWCOMER))],
  ['operator', 'payload_too_large', () => operatedTool(READ, { toolInput: LARGE })],
  ['operator', 'rate_limited', () => flood(signInWrongly)],
  ['operator', 'internal_error', () => whileBroken(() => operate('GET', '/connections'))],
  ['operator', 'upstream_failed', () => whileUpstream('refused', () => operatedTool(READ))],
  [
    'operator',
    'connection_failed',
    () => whileUpstream('broken', () => operatedTool(WRITE, { toolInput: WEBHOOK })),
  ],

  ['connect', 'not_found', () => open('/connect/none')],
  ['connect', 'not_found', () => open('/approve/none')],
  ['connect', 'forbidden', () => open('/sso/v1/oauth/conn_none/callback?state=none&code=none')],
  ['connect', 'forbidden', () => open('/connect/none', { method: 'POST', body: new URLSearchParams({}) })],
  ['connect', 'verification_failed', () => open('/connect/ended/other-identifier')],
  ['connect', 'method_not_allowed', () => open('/connect/none', { method: 'PATCH' })],
];

/** Cases that need the upstream to be silent for half a minute, or that make the connection fail for others. */
const LAST: typeof CASES = [
  [
    'v1',
    'upstream_timeout',
    () => tool(WRITE, { toolInput: { ...WEBHOOK, url: 'https://hooks.example/c' } }),
  ],
  ['proxy', 'upstream_timeout', () => proxied('/users', 'POST')],
  ['mcp', 'upstream_timeout', () => agent(WRITE, { ...WEBHOOK, url: 'https://hooks.example/d' })],
];

const BROKEN: typeof CASES = [
  ['v1', 'unavailable', () => tool(READ)],
  ['proxy', 'unavailable', () => proxied()],
  ['mcp', 'unavailable', () => agent(READ)],
  ['operator', 'unavailable', () => operatedTool(READ)],
];

interface Found {
  readonly kind: string;
  readonly items: readonly { readonly state?: string }[];
}

async function expectFound(requestId: string, code: ErrorCode): Promise<void> {
  expect(requestId).toMatch(/^req_/);
  const { groups } = (await operator.call('GET', `/search?q=${requestId}`)).json<{
    groups: readonly Found[];
  }>();
  const causes = groups.filter(({ kind }) => kind === 'execution' || kind === 'failedRequest');
  expect(causes.map(({ items }) => items.map(({ state }) => state))).toEqual([[code]]);
}

test('every error code has a case', () => {
  const codes = new Set([...CASES, ...LAST, ...BROKEN].map(([, code]) => code));
  expect([...codes].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
});

test.each(CASES)('%s: the request id of %s finds its cause', async (_entryPoint, code, provoke) => {
  await expectFound(await provoke(), code);
});

test('the request ids of timeouts find their causes', { timeout: 120_000 }, async () => {
  const ids = await whileUpstream('silent', () => Promise.all(LAST.map(([, , provoke]) => provoke())));
  for (const id of ids) await expectFound(id, 'upstream_timeout');
});

test('the request ids of calls that the circuit breaker refuses find their causes', async () => {
  await whileUpstream('broken', async () => {
    for (let call = 0; call < 25; call += 1) await proxied('/users', 'POST');
  });
  for (const [, code, provoke] of BROKEN) await expectFound(await provoke(), code);
});

test('one user with many refused calls hides no failure of another user', async () => {
  const many = Array.from({ length: 400 }, (_, n) => tool(`convintel_none_${n}`));
  await Promise.all(many);
  await expectFound(await tool(READ, { ...WRONG, identifier: 'newcomer' }), 'account_not_authorized');
  await expectFound(await tool('convintel_none', NEWCOMER), 'tool_not_found');
});
