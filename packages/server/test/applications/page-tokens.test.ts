import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

let service: Service;
let application: Application;
let operator: SignedInOperator;

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
  application = await signIn(service);
  const { password } = await service.app.operators.create('an.owner', 'owner');
  operator = await signInOperator({ url: service.url, name: 'an.owner', password });
});
afterAll(() => service.stop());

const tokenOf = (...keys: readonly string[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');

// Invalid timestamps in page tokens. PostgreSQL would reject each of them with an error.
const WRONG = ['x', '', '-1', '1.5', '1e400', '9'.repeat(30)];

const LISTS = [
  '/v1/executions',
  '/v1/account-tokens',
  '/v1/agent-tokens',
  '/v1/agent-grants',
  '/v1/approvals',
  '/v1/webhook-endpoints',
  '/v1/deliveries',
  '/v1/watches',
  'operator /applications',
  'operator /audit-events',
];

test.each(LISTS)('A11: a page token of %s with an invalid timestamp is refused', async (list) => {
  const get = (pageToken: string) => {
    const path = `${list.replace('operator ', '')}?pageToken=${pageToken}`;
    return list.startsWith('operator ') ? operator.call('GET', path) : application.call('GET', path);
  };
  expect((await get(tokenOf('1', 'y'))).status).toBe(200);
  for (const moment of WRONG) {
    const { status } = await get(tokenOf(moment, 'y'));
    expect({ moment, status }).toEqual({ moment, status: 400 });
  }
});

test('A11: a page token of /v1/events with an invalid position is refused', async () => {
  const get = (position: string) => application.call('GET', `/v1/events?pageToken=${tokenOf(position, '1')}`);
  expect((await get('1')).status).toBe(200);
  for (const position of WRONG) {
    const { status } = await get(position);
    expect({ position, status }).toEqual({ position, status: 400 });
  }
});

test('A11: a page token of /v1/events in the form of an older release is refused', async () => {
  const { status } = await application.call('GET', `/v1/events?pageToken=${tokenOf('1', 'evt_1', '1')}`);
  expect(status).toBe(400);
});
