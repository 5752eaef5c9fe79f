import { approve } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const VERIFY_URL = 'https://acme.example.com/verify';

let service: Service;
let application: Application;
let operator: SignedInOperator;
let number = 0;
const someone = () => `user-${++number}`;

beforeAll(async () => {
  service = await startService({ connectors: ['convintel', 'workspace'] });
  application = await signIn(service);
  const { url, app } = service;
  operator = await signInOperator({ url, ...(await app.operators.create('ada', 'owner')) });
});
afterAll(() => service.stop());

const call = (identifier: string, path = `/v1/proxy/workspace/${identifier}/v1/users`) =>
  application.call('GET', path);
const revocations = async () =>
  (await service.sandbox.requests('workspace')).filter(({ path }) => path.endsWith('/revoke'));

interface Way {
  readonly title: string;
  readonly actor: () => string;
  readonly revoke: (account: { readonly id: string; readonly identifier: string }) => Promise<Reply>;
}

const WAYS: readonly Way[] = [
  {
    title: 'the application by the account id',
    actor: () => service.clientId,
    revoke: ({ id }) => application.call('POST', `/v1/accounts/${id}/revoke`),
  },
  {
    title: 'the application by the user identifier',
    actor: () => service.clientId,
    revoke: ({ identifier }) =>
      application.call('POST', `/v1/connections/workspace/accounts/${identifier}/revoke`),
  },
  {
    title: 'an operator',
    actor: () => 'operator:ada',
    revoke: ({ id }) => operator.call('POST', `/applications/${service.clientId}/accounts/${id}/revoke`),
  },
];

test.each(WAYS)(
  'O21, L2: a revocation by $title revokes upstream, keeps the account, and allows a new consent',
  async ({ revoke, actor }) => {
    const [account, other] = [
      await connectAccount(service, 'workspace', someone()),
      await connectAccount(service, 'workspace', someone()),
    ];
    const executions = `/v1/executions?accountId=${account.id}`;
    expect((await call(account.identifier)).status).toBe(200);
    await service.sandbox.clearRequests();
    const statusReason = actor().startsWith('operator') ? 'revoked_by_operator' : 'revoked_by_application';
    const ended = { id: account.id, status: 'reauthorization_required', statusReason };

    const revoked = await revoke(account);

    expect([revoked.status, revoked.json()]).toMatchObject([200, { ...ended, upstream: 'revoked' }]);
    expect(await revocations()).toMatchObject([{ status: 200 }]);
    expect(await call(account.identifier)).toMatchObject({ status: 409 });
    expect(await call(other.identifier)).toMatchObject({ status: 200 });
    const stored = await application.call('GET', `/v1/accounts/${account.id}`);
    expect(stored.json()).toMatchObject(ended);
    await expect
      .poll(async () => (await application.call('GET', executions)).json<{ items: unknown[] }>().items)
      .not.toHaveLength(0);
    const events = await operator.call('GET', '/audit-events?action=account.revoked&pageSize=1');
    expect(events.json()).toMatchObject({
      items: [{ object: account.id, actor: actor(), reason: 'revoked', requestId: expect.any(String) }],
    });
    expect((await connectAccount(service, 'workspace', account.identifier)).id).toBe(account.id);
    expect(await call(account.identifier)).toMatchObject({ status: 200 });
  },
);

test('O21: a revocation that fails upstream is retried three times, and the response reports it', async () => {
  const { id, identifier } = await connectAccount(service, 'workspace', someone());
  await service.sandbox.clearRequests();
  const match = { method: 'POST', path: '/v1/oauth/revoke' };
  await service.sandbox.dials('workspace', { failNext: { count: 3, status: 503, match } });
  const revoked = await application.call('POST', `/v1/accounts/${id}/revoke`);
  expect(revoked.json()).toMatchObject({ status: 'reauthorization_required', upstream: 'failed' });
  expect((await revocations()).map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(await call(identifier)).toMatchObject({ status: 409 });
});

test('A13: a repeated revocation with the same idempotency key returns the first outcome', async () => {
  const { id } = await connectAccount(service, 'workspace', someone());
  const revoke = () =>
    application.call('POST', `/v1/accounts/${id}/revoke`, { headers: { 'idempotency-key': `end-${id}` } });
  const first = await revoke();
  const repeated = await revoke();
  expect(first.json()).toMatchObject({ upstream: 'revoked' });
  expect([repeated.text, repeated.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
});

test('K7: a revoked account with an API key loses the key and accepts another one', async () => {
  const { id, identifier } = await connectAccount(service, 'convintel', someone());
  const path = `/v1/connections/convintel/accounts/${identifier}`;
  const use = () => call(identifier, `/v1/proxy/convintel/${identifier}/getUsers`);
  expect((await use()).status).toBe(200);
  const revoked = await application.call('POST', `/v1/accounts/${id}/revoke`);
  expect(revoked.json()).toMatchObject({ upstream: 'no_revocation_endpoint', credentials: [] });
  expect((await use()).status).toBe(409);
  await application.call('PUT', path, { body: { bearerToken: 'sandbox-another' } });
  expect((await use()).status).toBe(200);
});

test('a revoked account that was never connected is unchanged and keeps its link', async () => {
  const identifier = someone();
  const { link } = await service.svc.getAuthorizationLink({ connectionName: 'workspace', identifier });
  const path = `/v1/connections/workspace/accounts/${identifier}`;
  const before = await application.call('GET', path);
  const revoked = await application.call('POST', `${path}/revoke`);
  expect(revoked.json()).toEqual({ ...before.json<object>(), upstream: 'nothing_to_revoke' });
  expect((await approve(link, { user: 'ada' })).status).toBe(200);
});

test('O7: links and consents from before a revocation are invalid', async () => {
  const account = await connectAccount(service, 'workspace', someone());
  const name = { connectionName: 'workspace', identifier: account.identifier };
  await service.app.applications.change(service.clientId, { verifyUrl: VERIFY_URL });
  const { url } = await approve((await service.svc.getAuthorizationLink(name)).link, {
    user: 'ada',
    stopAt: (address) => address.startsWith(VERIFY_URL),
  });
  await service.app.applications.change(service.clientId, { verifyUrl: null });
  const authRequestId = new URL(url).searchParams.get('auth_request_id');
  // The link is created last, because a new link replaces the account's previous link.
  const { link } = await service.svc.getAuthorizationLink(name);

  await application.call('POST', `/v1/accounts/${account.id}/revoke`);

  const verified = await application.call('POST', '/v1/accounts/verify', {
    body: { authRequestId, identifier: account.identifier },
  });
  expect(verified.status).toBe(404);
  expect((await fetchReply(link)).status).toBe(404);
  expect(await call(account.identifier)).toMatchObject({ status: 409 });
});
