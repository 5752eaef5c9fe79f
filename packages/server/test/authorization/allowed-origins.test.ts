import { createServer } from 'node:http';
import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

/** Paths that a server in the operator's network received. Only the calendar connector may call this server. */
const seen: string[] = [];
const inside = createServer((request, reply) => {
  seen.push(request.url ?? '');
  reply.setHeader('content-type', 'application/json').end('{}');
});
let origin = '';
let service: Service;
let call: Application['call'];

beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const address = inside.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const sandbox = await startSandbox({ connectors: ['convintel'] });
  const flags = ['--allowed-origins', `${listForSandbox(sandbox)},calendar=${origin},video=${origin}`];
  service = await startService({ sandbox, flags });
  ({ call } = await signIn(service));
});

afterAll(async () => {
  await service.stop();
  inside.close();
});

test.each([
  {
    title: 'a new connection',
    method: 'POST',
    path: '/v1/connections',
    more: { connectionName: 'led', connector: 'convintel' },
  },
  { title: 'a changed connection', method: 'PATCH', path: '/v1/connections/convintel', more: {} },
])(
  'N4: $title cannot use an origin that is allowed for another connector',
  async ({ method, path, more }) => {
    const reply = await call(method, path, { body: { ...more, baseUrl: `${origin}/led` } });
    expect([reply.status, reply.json()]).toEqual([
      400,
      {
        error: expect.objectContaining({ message: expect.stringContaining('not listed for the connector') }),
      },
    ]);
  },
);

test('N4: the OAuth endpoints of a connection cannot use an origin that is allowed for another connector', async () => {
  const names = { connectionName: 'files', connector: 'filesite' };
  for (const field of ['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint']) {
    const reply = await call('POST', '/v1/connections', { body: { ...names, [field]: `${origin}/led` } });
    expect({ field, status: reply.status }).toEqual({ field, status: 400 });
  }
});

test('N4: the connector of an allowed origin can use it', async () => {
  const body = { connectionName: 'inside', connector: 'calendar', baseUrl: origin };
  expect((await call('POST', '/v1/connections', { body })).status).toBe(201);
});

test('an allowed origin gets no request of another connector', () => {
  expect(seen).toEqual([]);
});
