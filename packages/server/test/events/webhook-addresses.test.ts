import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

const HOST = 'hooks.example.com';
const PUBLIC: LookupAddress = { address: '203.0.114.7', family: 4 };
const PRIVATE: LookupAddress = { address: '10.0.0.7', family: 4 };

let addresses: readonly LookupAddress[] = [PUBLIC];

vi.mock(import('node:dns/promises'), async (importActual) => {
  const actual = await importActual();
  const lookup = async (hostname: string, options: object) =>
    hostname === HOST ? addresses : actual.lookup(hostname, options);
  return { ...actual, lookup: lookup as typeof actual.lookup };
});

let service: Service;
let owner: Application;

beforeAll(async () => {
  service = await startService({ connectors: [] });
  owner = await signIn(service);
});
afterAll(() => service.stop());

const create = () =>
  owner.call('POST', '/v1/webhook-endpoints', {
    body: { url: `https://${HOST}/svc`, types: ['connection.changed'] },
  });

test('N3: an endpoint whose host has a private address is refused', async () => {
  addresses = [PUBLIC, PRIVATE];
  const reply = await create();
  expect(reply.status).toBe(400);
  expect(reply.text).toContain('has no public address');
});

test('N3: an attempt is refused when the host gets a private address after the registration', async () => {
  addresses = [PUBLIC];
  expect((await create()).status).toBe(201);
  addresses = [PRIVATE];
  const body = { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' };
  await owner.call('POST', '/v1/connections', { body });
  await owner.call('PATCH', '/v1/connections/calls', { body: { baseUrl: 'https://10.0.0.2' } });
  await vi.waitFor(async () => {
    const { items } = (await owner.call('GET', '/v1/deliveries')).json<{ items: { id: string }[] }>();
    const delivery = await owner.call('GET', `/v1/deliveries/${items[0]?.id}`);
    expect(delivery.json()).toMatchObject({ attempts: [{ failure: 'blocked_address' }] });
  }, 5000);
  const { password } = await service.app.operators.create('ada', 'owner');
  const operator = await signInOperator({ url: service.url, name: 'ada', password });
  const audited = await operator.call('GET', `/audit-events?action=address.refused`);
  expect(audited.json()).toMatchObject({
    items: [{ applicationId: service.clientId, actor: 'service', object: HOST }],
  });
});
