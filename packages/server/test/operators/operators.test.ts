import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchReply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

const hashed = vi.hoisted(() => ({ times: 0, now: 0, most: 0 }));

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const argon2 = await importOriginal<typeof import('@node-rs/argon2')>();
  const hash: typeof argon2.hash = (...given) => {
    hashed.times += 1;
    return argon2.hash(...given);
  };
  const verify: typeof argon2.verify = async (...given) => {
    hashed.times += 1;
    hashed.now += 1;
    hashed.most = Math.max(hashed.most, hashed.now);
    const isRight = await argon2.verify(...given);
    hashed.now -= 1;
    return isRight;
  };
  return { ...argon2, hash, verify };
});

let service: Service;
let password: string;

beforeAll(async () => {
  service = await startService({ connectors: [] });
  ({ password } = await service.app.operators.create('ada', 'owner'));
});

afterAll(() => service.stop());

test('A6: only a sign-in hashes a password', async () => {
  const { url, clientId, clientSecret } = service;
  hashed.times = 0;
  const operator = await signInOperator({ url, name: 'ada', password });
  expect(hashed.times).toBeGreaterThan(0);

  hashed.times = 0;
  const application = await signIn({ url, clientId, clientSecret });
  await expect(signIn({ url, clientId, clientSecret: 'wrong' })).rejects.toThrow(/401/);
  for (let round = 0; round < 5; round += 1) {
    expect((await application.call('GET', '/../../v1/connections')).status).toBe(200);
    expect((await operator.call('GET', '/applications')).status).toBe(200);
  }
  await operator.call('POST', `/applications/${clientId}/client-secrets`);
  expect(hashed.times).toBe(0);
});

test('the audit log contains the operator, the request id and the address of a change', async () => {
  const { call } = await signInOperator({ url: service.url, name: 'ada', password });
  const created = await call('POST', '/applications', { body: { name: 'Notes' } });
  const { id } = created.json<{ id: string }>();
  const { items } = (await call('GET', `/audit-events?applicationId=${id}`)).json<{ items: object[] }>();
  expect(items).toHaveLength(2);
  for (const event of items) {
    expect(event).toMatchObject({
      actor: 'operator:ada',
      address: '127.0.0.1',
      requestId: created.headers.get('svc-request-id'),
      result: 'done',
    });
  }
});

test('D1: a session of an operator is no access token of an application, nor the reverse', async () => {
  const { call } = await signInOperator({ url: service.url, name: 'ada', password });
  expect((await call('GET', '/../../v1/connections')).status).toBe(401);
  const application = await signIn(service);
  expect((await application.call('GET', '/operator/v1/applications')).status).toBe(401);
});

test('A5: a client secret revoked by an operator stops working at once on the same instance', async () => {
  const { call } = await signInOperator({ url: service.url, name: 'ada', password });
  const made = (await call('POST', '/applications', { body: { name: 'Rotating' } })).json<{
    id: string;
    clientSecret: string;
  }>();
  const credentials = { url: service.url, clientId: made.id, clientSecret: made.clientSecret };
  const application = await signIn(credentials);
  expect((await application.call('GET', '/../../v1/connections')).status).toBe(200);
  const secrets = await call('GET', `/applications/${made.id}/client-secrets`);
  const [secret] = secrets.json<{ items: { id: string }[] }>().items;
  await call('DELETE', `/applications/${made.id}/client-secrets/${secret?.id}`);
  expect((await application.call('GET', '/../../v1/connections')).status).toBe(401);
  await expect(signIn(credentials)).rejects.toThrow(/401/);
});

test('A8: 200 simultaneous sign-ins from one address cause at most 30 hashes, two at a time', async () => {
  const own = await startService({ connectors: [] });
  const { password: right } = await own.app.operators.create('grace', 'owner');
  const { call } = await signInOperator({ url: own.url, name: 'grace', password: right });
  const send = (name: string) =>
    fetchReply(`${own.url}/operator/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, password: 'wrong' }),
    });
  hashed.times = 0;
  hashed.most = 0;
  const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => send(`nobody-${index}`)));
  const count = (status: number) => replies.filter((reply) => reply.status === status).length;
  // Allows status 503, because a sign-in may wait too long for the password hash on a busy machine.
  expect(count(401) + count(429) + count(503)).toBe(200);
  expect(count(429)).toBeGreaterThan(100);
  expect(hashed).toMatchObject({ times: count(401), most: 2 });
  expect(hashed.times).toBeLessThanOrEqual(30);
  const { items } = (await call('GET', '/audit-events')).json<{
    items: { action: string; reason: string }[];
  }>();
  const refusals = items.filter(({ action }) => action === 'operator.sign_in_refused');
  expect(refusals.map(({ reason }) => reason).sort()).toEqual(['too many', 'unknown name']);
  await own.stop();
});
