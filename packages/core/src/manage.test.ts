import { expect, test } from 'vitest';
import { fakeService, json } from '../test/fake-service.js';
import { manage } from './manage.js';
import type { ManagingClient } from './managing-client.js';
import type { CallOptions } from './tool.js';

test('each iterates over all pages of a list', async () => {
  const { svc, requests } = fakeService([
    () => json({ items: [{ id: 'acct_1' }, { id: 'acct_2' }], nextPageToken: 'p2' }),
    () => json({ items: [{ id: 'acct_3' }] }),
  ]);
  const ids = [];
  for await (const { id } of manage(svc).accounts.list.each({ connectionName: 'c', pageSize: 2 }))
    ids.push(id);
  expect(ids).toEqual(['acct_1', 'acct_2', 'acct_3']);
  expect(requests.map((request) => new URL(request.url).search)).toEqual([
    '?connectionName=c&pageSize=2',
    '?connectionName=c&pageSize=2&pageToken=p2',
  ]);
});

test('lists agent tokens and revokes account tokens', async () => {
  const { svc, requests } = fakeService([
    () => json({ items: [] }),
    () => new Response(null, { status: 204 }),
  ]);
  await manage(svc).agentTokens.list({ pageSize: 1 });
  await manage(svc).accountTokens.revoke('tok_1');
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://svc.example/v1/agent-tokens?pageSize=1',
    'DELETE https://svc.example/v1/account-tokens/tok_1',
  ]);
});

test('a change of a connection depends on its version only if the application asks for it', async () => {
  const { svc, requests } = fakeService([() => json({ etag: '"new"' }), () => json({ etag: '"newer"' })]);
  const { connections } = manage(svc);
  const headers = { 'x-own': '1' };
  const { etag } = await connections.update('c', { clientId: 'one' }, { ifMatch: '"old"', headers });
  await connections.update('c', { clientId: 'two' });
  expect(etag).toBe('"new"');
  expect(requests.map((request) => request.headers.get('if-match'))).toEqual(['"old"', null]);
  expect(requests[0]?.headers.get('x-own')).toBe('1');
});

test('a change of a webhook endpoint or a watch depends on the version that the application sends', async () => {
  const { svc, requests } = fakeService([() => json({ etag: '"new"' }), () => json({ etag: '"new"' })]);
  const { webhookEndpoints, watches } = manage(svc);
  await webhookEndpoints.update('ep_1', { ordered: true }, { ifMatch: '"old"' });
  await watches.update('watch_1', { every: 600 }, { ifMatch: '"older"' });
  expect(requests.map((request) => request.headers.get('if-match'))).toEqual(['"old"', '"older"']);
});

test('has the methods of the client', async () => {
  const { svc, requests } = fakeService([() => json({ link: 'https://svc.example/connect/x' })]);
  await manage(svc).getAuthorizationLink({ connectionName: 'c', identifier: 'u' });
  expect(requests[0]?.url).toBe('https://svc.example/v1/connections/c/accounts/u/authorization-link');
});

test('verify sends the authorization request with an idempotency key and retries it', async () => {
  const { svc, requests } = fakeService([
    () => new Response(null, { status: 503 }),
    () => json({ id: 'acct_1', status: 'authorized', successUrl: 'https://app.example/done' }),
  ]);
  const account = await manage(svc).accounts.verify({ authRequestId: 'request_1', identifier: 'user_42' });
  expect(account).toMatchObject({ status: 'authorized', successUrl: 'https://app.example/done' });
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    expect(request.url).toBe('https://svc.example/v1/accounts/verify');
    expect(request.headers.get('idempotency-key')).toBe('request_1');
    expect(await request.json()).toEqual({ authRequestId: 'request_1', identifier: 'user_42' });
  }
});

test('getAuthorizationLink sends the success and failure URLs', async () => {
  const { svc, requests } = fakeService([() => json({ link: 'https://svc.example/connect/x' })]);
  const urls = { successUrl: 'https://app.example/done', failureUrl: 'https://app.example/failed' };
  await manage(svc).getAuthorizationLink({ connectionName: 'c', identifier: 'u', replace: true, ...urls });
  expect(await requests[0]?.json()).toEqual({ replace: true, ...urls });
});

test('approvals.decide sends the decision and retries it', async () => {
  const { svc, requests } = fakeService([
    () => json({ items: [{ id: 'appr_1' }] }),
    () => new Response(null, { status: 503 }),
    () => json({ id: 'appr_1', status: 'denied' }),
    () => json({ id: 'appr_1', status: 'denied' }),
  ]);
  const { approvals } = manage(svc);
  const { items } = await approvals.list({ status: 'pending' });
  const decision = { decision: 'deny', reason: 'No.' } as const;
  expect(await approvals.decide(items[0]?.id ?? '', decision)).toMatchObject({ status: 'denied' });
  await approvals.get('appr_1');
  const one = 'https://svc.example/v1/approvals/appr_1';
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://svc.example/v1/approvals?status=pending',
    `POST ${one}`,
    `POST ${one}`,
    `GET ${one}`,
  ]);
  expect(await requests[2]?.json()).toEqual(decision);
});

test.each([
  {
    title: 'verify',
    key: 'request_1',
    run: ({ accounts }: ManagingClient, options: CallOptions) =>
      accounts.verify({ authRequestId: 'request_1', identifier: 'ada' }, options),
  },
  {
    title: 'decide',
    key: 'appr_1',
    run: ({ approvals }: ManagingClient, options: CallOptions) =>
      approvals.decide('appr_1', { decision: 'deny' }, options),
  },
])('$title has its own idempotency key unless the caller gives one', async ({ key, run }) => {
  const { svc, requests } = fakeService([() => json({})]);
  for (const idempotencyKey of [undefined, 'own-1']) await run(manage(svc), { idempotencyKey });
  expect(requests.map((request) => request.headers.get('idempotency-key'))).toEqual([key, 'own-1']);
});

test('an update is sent once, because the service ignores the idempotency key of a PATCH', async () => {
  const { svc, requests } = fakeService([() => Promise.reject(new TypeError('fetch failed'))]);
  const update = manage(svc).connections.update('c', { clientId: 'one' }, { idempotencyKey: 'key-1' });
  await expect(update).rejects.toMatchObject({ code: 'connection_failed' });
  expect(requests).toHaveLength(1);
});

test('manages webhook endpoints, events and deliveries', async () => {
  const { svc, requests } = fakeService([
    () => json({ id: 'ep_1', secret: 'whsec_x' }),
    () => json({ id: 'ep_1', secret: 'whsec_y' }),
    () => json({ id: 'ep_1' }),
    () => json({ id: 'dlv_0', attempts: [] }),
    () => json({ items: [{ id: 'evt_1' }] }),
    () => json({ items: [{ id: 'dlv_1' }] }),
    () => json({ id: 'dlv_1', attempts: [] }),
    () => new Response(null, { status: 204 }),
  ]);
  const { webhookEndpoints, events, deliveries } = manage(svc);
  const endpoint = { url: 'https://hooks.example.com/svc', types: ['account.deleted'] } as const;
  expect((await webhookEndpoints.create(endpoint)).secret).toBe('whsec_x');
  await webhookEndpoints.rotateSecret('ep_1', { oldSecretExpiresIn: 60 });
  await webhookEndpoints.update('ep_1', { enabled: false });
  await webhookEndpoints.sendTest('ep_1');
  await events.list({ after: 'evt_0', types: 'account.deleted' });
  await deliveries.list({ state: 'failed' });
  await deliveries.resend('dlv_1');
  await webhookEndpoints.delete('ep_1');
  const base = 'https://svc.example/v1';
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `POST ${base}/webhook-endpoints`,
    `POST ${base}/webhook-endpoints/ep_1/rotate-secret`,
    `PATCH ${base}/webhook-endpoints/ep_1`,
    `POST ${base}/webhook-endpoints/ep_1/test`,
    `GET ${base}/events?after=evt_0&types=account.deleted`,
    `GET ${base}/deliveries?state=failed`,
    `POST ${base}/deliveries/dlv_1/resend`,
    `DELETE ${base}/webhook-endpoints/ep_1`,
  ]);
  expect(await requests[0]?.json()).toEqual(endpoint);
  expect(await requests[1]?.json()).toEqual({ oldSecretExpiresIn: 60 });
});

test('manages the webhook subscriptions of an account, by its name and by its id', async () => {
  const { svc, requests } = fakeService([
    () => json({ id: 'sub_1' }),
    () => json({ items: [] }),
    () => new Response(null, { status: 204 }),
  ]);
  const { webhooks } = manage(svc).accounts;
  const account = { connectionName: 'calls', identifier: 'ada', account: 'work' };
  expect((await webhooks.create(account, { trigger: 'conversation_played' })).id).toBe('sub_1');
  await webhooks.list(account, { pageSize: 10 });
  await webhooks.delete({ id: 'acct_1' }, 'sub_1');
  const base = 'https://svc.example/v1';
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `POST ${base}/connections/calls/accounts/ada/webhooks?account=work`,
    `GET ${base}/connections/calls/accounts/ada/webhooks?account=work&pageSize=10`,
    `DELETE ${base}/accounts/acct_1/webhooks/sub_1`,
  ]);
});

test('iterates over the webhook subscriptions of an account', async () => {
  const { svc, requests } = fakeService([
    () => json({ items: [{ id: 'sub_1' }, { id: 'sub_2' }], nextPageToken: 'p2' }),
    () => json({ items: [{ id: 'sub_3' }] }),
  ]);
  const { list } = manage(svc).accounts.webhooks;
  const account = { connectionName: 'calls', identifier: 'ada', account: 'work' };
  const ids = [];
  for await (const { id } of list.each(account, { pageSize: 2 })) ids.push(id);
  expect(ids).toEqual(['sub_1', 'sub_2', 'sub_3']);
  const path = 'https://svc.example/v1/connections/calls/accounts/ada/webhooks?account=work&pageSize=2';
  expect(requests.map(({ url }) => url)).toEqual([path, `${path}&pageToken=p2`]);
  const pages = [];
  for await (const { items } of list.pages({ id: 'acct_1' })) pages.push(items.length);
  expect(pages).toEqual([1]);
  for await (const { id } of list.each({ id: 'acct_1' }, undefined, { limit: 0 })) ids.push(id);
  expect(requests).toHaveLength(3);
});

test('watch sends the tool, its input and the account', async () => {
  const { svc, requests } = fakeService([
    () => json({ id: 'watch_1', state: 'starting' }),
    () => json({ id: 'watch_1', state: 'watching' }),
    () => new Response(null, { status: 204 }),
  ]);
  const account = { connectionName: 'calendar', identifier: 'ada' };
  const { id } = await svc.watch({ ...account, tool: 'calendar_list_events', input: { a: 1 }, every: 60 });
  await manage(svc).watches.update(id, { enabled: true });
  await manage(svc).watches.delete(id);
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /v1/watches',
    'PATCH /v1/watches/watch_1',
    'DELETE /v1/watches/watch_1',
  ]);
  const body = { ...account, toolName: 'calendar_list_events', toolInput: { a: 1 }, every: 60 };
  expect(await requests[0]?.json()).toEqual(body);
});
