import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BeforeUpstream, startBefore } from '../support/upstreams/start-before.js';

const ACCOUNTS = 8;
const CALLS_OF_EACH = 10;
const OFFERED = ACCOUNTS * CALLS_OF_EACH;

let seen = 0;
let fail: (reply: ServerResponse) => void = () => undefined;
let before: BeforeUpstream;
const accountIds: string[] = [];

const upstream = createServer((_, reply) => {
  seen += 1;
  fail(reply);
});

beforeAll(async () => {
  // Retries wait a random share of at least 1 s. A share of 0 makes them start at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  before = await startBefore(upstream);
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const account = await before.first.call('PUT', `/v1/connections/played/accounts/user_${index}`, {
      body: { bearerToken: 'played-token', verify: false },
    });
    accountIds.push(account.json<{ id: string }>().id);
  }
});
afterAll(() => before.stop());

const execute = (connectedAccountId: string) =>
  before.first.call('POST', '/v1/tools/convintel_users_list/execute', {
    body: { connectedAccountId, toolInput: {} },
  });

test.each([
  {
    title: 'responds 500 to every call',
    how: (reply: ServerResponse) => void reply.writeHead(500).end(),
    // Expects all calls and at least 3 retries, because a connection may always retry 3 times. At most a tenth of its
    // calls are retried.
    least: OFFERED + 3,
  },
  {
    title: 'closes every connection',
    how: (reply: ServerResponse) => void reply.destroy(),
    // Expects at least one call. The circuit breaker opens after 20 failures (rule F4), so most calls are not sent.
    least: 1,
  },
])('F3: an upstream that $title gets at most 1.1 times the calls', async ({ how, least }) => {
  seen = 0;
  fail = how;
  const calls = accountIds.flatMap((id) => Array.from({ length: CALLS_OF_EACH }, () => execute(id)));
  const began = performance.now();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 502 && status !== 503)).toEqual([]);
  expect(seen).toBeGreaterThanOrEqual(least);
  // A busy machine may need several windows of 10 s, and each window allows 3 retries.
  const windows = Math.floor((performance.now() - began) / 10_000);
  expect(seen).toBeLessThanOrEqual(1.1 * OFFERED + 3 * windows);
});

test('F3: a read is retried at most twice, and a write never', async () => {
  fail = (reply) => void reply.writeHead(500).end();
  const { call } = before.second;
  const account = (await call('GET', '/v1/connections/played/accounts/user_42')).json<{ id: string }>();
  const requestsOf = async (tool: string, toolInput: object) => {
    seen = 0;
    const body = { connectedAccountId: account.id, toolInput };
    const { status } = await call('POST', `/v1/tools/${tool}/execute`, { body });
    return [status, seen];
  };
  const webhook = { trigger: 'conversation_shared', url: 'https://hooks.example/' };
  expect(await requestsOf('convintel_webhook_create', webhook)).toEqual([502, 1]);
  expect(await requestsOf('convintel_users_list', {})).toEqual([502, 3]);
});
