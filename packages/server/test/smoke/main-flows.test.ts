import { AccountNotAuthorizedError, type ConnectedAccount } from '@svc/core';
import { startSandbox } from '@svc/sandbox';
import { workspace } from '@svc/workspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../support/events/start-receiver.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const CONNECTION = 'workspace';
const TOOL = 'workspace_users_list';

let receiver: Receiver;
let service: Service;
let application: Application;
let account: ConnectedAccount;

beforeAll(async () => {
  receiver = await startReceiver();
  const sandbox = await startSandbox({ connectors: [CONNECTION], rateLimits: false });
  const origins = `${listForSandbox(sandbox)},webhooks=${receiver.origin}`;
  service = await startService({ sandbox, env: { SVC_ALLOWED_ORIGINS: origins } });
  application = await signIn(service);
  const types = ['account.authorized', 'account.deleted'];
  const body = { url: `${receiver.origin}/hook`, types };
  expect((await application.call('POST', '/v1/webhook-endpoints', { body })).status).toBe(201);
  account = await connectAccount(service, CONNECTION);
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

test('a user who gives consent has an authorized account', () => {
  expect(account).toMatchObject({ connectionName: CONNECTION, identifier: 'user_42', status: 'authorized' });
});

test('a tool call, a proxied request and an MCP call answer and are recorded', async () => {
  const { data } = await workspace(service.svc, account).usersList({});
  expect(data.results.length).toBeGreaterThan(0);

  const proxied = await application.call('GET', `/v1/proxy/${CONNECTION}/${account.identifier}/v1/users`);
  expect(proxied.status, proxied.text).toBe(200);

  const { token } = await service.svc.agentToken({
    identifier: account.identifier,
    connections: [CONNECTION],
    expiresIn: 3600,
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: TOOL, arguments: {} } };
  const called = await fetchReply(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(message),
  });
  expect(called.json()).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });

  await expect
    .poll(async () => {
      const reply = await application.call('GET', '/v1/executions');
      return reply.json<{ items: readonly { toolName: string; status: number }[] }>().items.length;
    })
    .toBe(3);
});

test('a revoked account is refused, and its events reach the webhook endpoint', async () => {
  const path = `/v1/connections/${CONNECTION}/accounts/${account.identifier}`;
  expect((await application.call('POST', `${path}/revoke`)).status).toBe(200);
  await expect(workspace(service.svc, account).usersList({})).rejects.toThrow(AccountNotAuthorizedError);
  expect((await application.call('DELETE', path)).status).toBe(204);
  await expect
    .poll(() => receiver.received('/hook').map(({ type }) => type))
    .toEqual(['account.authorized', 'account.deleted']);
});
